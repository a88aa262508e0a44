package backup_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sesskeep/homefs"
	"sesskeep/internal/backup"
	"sesskeep/internal/disk"
	"sesskeep/internal/disk/disktest"

	"github.com/klauspost/compress/zstd"
)

// lists returns the lists of a repository, oldest first.
func lists(t *testing.T, repo string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(repo, "backups", "*"))
	must(t, err)
	if len(names) == 0 {
		entries, _ := os.ReadDir(repo)
		t.Fatalf("no lists: %v", entries)
	}
	return names
}

// twoBackups makes a repository with two backups, of one file and of two.
func twoBackups(t *testing.T) (repo string) {
	t.Helper()
	dir, repo := t.TempDir(), filepath.Join(t.TempDir(), "b")
	world{"a": []byte("one")}.write(t, dir)
	_, _, err := backUp(dir, repo, backup.Options{})
	must(t, err)
	world{"b": []byte("two")}.write(t, dir)
	_, _, err = backUp(dir, repo, backup.Options{})
	must(t, err)
	return repo
}

// A list that is not the one that was written is damage, even if it can be read.
func TestDamagedList(t *testing.T) {
	relisted := func(change func(text []byte) []byte) func(t *testing.T, file, _ string) {
		return func(t *testing.T, file, _ string) {
			data, err := os.ReadFile(file)
			must(t, err)
			zip, err := zstd.NewReader(nil)
			must(t, err)
			defer zip.Close()
			text, err := zip.DecodeAll(data, nil)
			must(t, err)
			changed := change(bytes.Clone(text))
			if bytes.Equal(text, changed) {
				t.Fatalf("%s did not change", text)
			}
			out, err := zstd.NewWriter(nil)
			must(t, err)
			must(t, os.WriteFile(file, out.EncodeAll(changed, nil), 0o600))
		}
	}
	for name, test := range map[string]struct {
		damage func(t *testing.T, file, other string)
		loads  bool // what is wrong shows only in its hash
	}{
		"another list under its name": {loads: true, damage: func(t *testing.T, file, other string) {
			data, err := os.ReadFile(other)
			must(t, err)
			must(t, os.WriteFile(file, data, 0o600))
		}},
		"a file is missing": {damage: relisted(func(text []byte) []byte {
			lines := bytes.SplitAfter(text, []byte("\n"))
			return bytes.Join(append(lines[:1:1], lines[2:]...), nil)
		})},
		"a chunk has a short name": {damage: relisted(func(text []byte) []byte {
			return bytes.Replace(text, []byte(`"chunks":"`), []byte(`"chunks":"AAAA`), 1)
		})},
	} {
		t.Run(name, func(t *testing.T) {
			repo := twoBackups(t)
			all := lists(t, repo)
			test.damage(t, all[1], all[0])
			r, err := backup.Open(repo, backup.Options{})
			must(t, err)
			defer r.Close()
			if _, err := r.Load(""); !test.loads && !errors.Is(err, backup.ErrDamaged) {
				t.Errorf("it is loaded: %v", err)
			}
			if v, err := r.Verify(t.Context(), nil); err != nil || len(v.Flaws) != 1 {
				t.Errorf("verified: %+v, %v", v, err)
			}
		})
	}
}

// An error says which backup there is none of, and where.
func TestNoBackup(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "b")
	w, err := backup.NewWriter(empty, backup.Options{})
	must(t, err)
	must(t, w.Abort())
	load := func(repo, id string) error {
		r, err := backup.Open(repo, backup.Options{})
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = r.Load(id)
		return err
	}
	var other bytes.Buffer
	must(t, tar.NewWriter(&other).Close())
	archive := filepath.Join(dir, "other.tar")
	must(t, os.WriteFile(archive, other.Bytes(), 0o600))
	for want, err := range map[string]error{
		"other.tar": load(archive, ""), "that was finished": load(empty, ""), " 2019 in ": load(twoBackups(t), "2019"), "none.tar": load(filepath.Join(dir, "none.tar"), ""),
	} {
		if !errors.Is(err, backup.ErrNone) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A wrong key is not damage, and the error says what kind of key is missing.
func TestWrongKey(t *testing.T) {
	dir := t.TempDir()
	one, err := newIdentity()
	must(t, err)
	other, err := newIdentity()
	must(t, err)
	both := one
	both.Passphrase = "correct horse"
	if _, err := backup.NewWriter(filepath.Join(dir, "both"), backup.Options{Key: both}); !errors.Is(err, backup.ErrKey) {
		t.Errorf("for a passphrase and a recipient: %v", err)
	}
	repo := filepath.Join(dir, "b")
	_, _, err = backUp(t.TempDir(), repo, backup.Options{Key: one})
	must(t, err)
	for want, key := range map[string]backup.Key{"another identity": other, "the passphrase is wrong": {Passphrase: "x"}} {
		_, err := backup.Open(repo, backup.Options{Key: key})
		if !errors.Is(err, backup.ErrKey) || errors.Is(err, backup.ErrDamaged) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// An encrypted repository has its key, or the backup fails.
func TestKeyNotWritten(t *testing.T) {
	key, err := newIdentity()
	must(t, err)
	full := disktest.Refuse(disk.Real, func(kind, name string) error {
		if kind == "write" && strings.Contains(filepath.Base(name), "key") {
			return syscall.ENOSPC
		}
		return nil
	})
	if _, _, err := backUp(t.TempDir(), filepath.Join(t.TempDir(), "b"), backup.Options{Key: key, Disk: full}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("its key was not written: %v", err)
	}
}

// withoutRenameNew is a file system that cannot rename without replacing.
type withoutRenameNew struct{ disk.System }

func (withoutRenameNew) RenameNew(from, to string) error {
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EINVAL}
}

// A backup in one file replaces no file: not one that is there before it starts, and not one
// that comes meanwhile.
func TestArchiveReplacesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.tar")
	w, err := backup.NewWriter(file, backup.Options{Disk: withoutRenameNew{disk.Real}})
	must(t, err)
	must(t, os.WriteFile(file, []byte("a letter"), 0o600))
	if _, _, err := w.Commit(backup.Head{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that came meanwhile: %v", err)
	}
	if _, err := backup.NewWriter(file, backup.Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that was there: %v", err)
	}
	if got, err := os.ReadFile(file); string(got) != "a letter" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// shrunk is a file that is shorter than it was when its size was read.
type shrunk struct {
	homefs.File
	end int64
}

func (f shrunk) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p[:max(0, min(int64(len(p)), f.end-off))], off)
	if n < len(p) && err == nil {
		err = io.EOF
	}
	return n, err
}

// A file that became shorter while it was read is read again.
func TestShrinks(t *testing.T) {
	dir, repo := t.TempDir(), filepath.Join(t.TempDir(), "b")
	world{"a": []byte("what is left")}.write(t, dir)
	home, err := homefs.Open(dir)
	must(t, err)
	w, err := backup.NewWriter(repo, backup.Options{})
	must(t, err)
	opened := 0
	must(t, w.Add(context.Background(), backup.Source{Tree: "t", Name: "a", Open: func() (homefs.File, error) {
		f, err := home.Open("a")
		if opened++; opened == 1 && err == nil {
			return shrunk{f, 4}, nil
		}
		return f, err
	}}))
	_, _, err = w.Commit(backup.Head{})
	must(t, err)
	must(t, world{"a": []byte("what is left")}.check(repo, "", backup.Options{}))
	if opened != 2 {
		t.Errorf("it was opened %d times", opened)
	}
}
