package backup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"sesskeep/homefs"
	"sesskeep/internal/backup"
	"sesskeep/internal/disk"
	"sesskeep/internal/disk/disktest"
	"sesskeep/internal/storetest"
)

// world is files that are backed up.
type world map[string][]byte

func someWorld(rnd *rand.Rand) world {
	w := world{"empty": {}, "same": []byte("one line\n"), "also the same": []byte("one line\n")}
	for _, size := range []int{10, 200_000, 1 << 20, 1<<20 + 1, 3_500_000} {
		w[fmt.Sprint("size ", size)] = noise(rnd, size)
	}
	return w
}

// noise is data that does not compress well.
func noise(rnd *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte('a' + rnd.IntN(26))
	}
	return data
}

// write brings the files to the disk in dir.
func (w world) write(t *testing.T, dir string) {
	t.Helper()
	for name, data := range w {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func (w world) clone() world { return maps.Clone(w) }

// backUp backs up the files in dir.
func backUp(dir, repo string, o backup.Options) (backup.Head, backup.Written, error) {
	w, err := backup.NewWriter(repo, o)
	if err != nil {
		return backup.Head{}, backup.Written{}, err
	}
	was := map[string]*backup.File{}
	if b, err := w.Repo.Load(""); err == nil {
		for i := range b.List {
			was[b.List[i].Name] = &b.List[i]
		}
	}
	home, err := homefs.Open(dir)
	if err != nil {
		return backup.Head{}, backup.Written{}, err
	}
	entries, err := home.ReadDir(".")
	for _, e := range entries {
		name := e.Name()
		if now, statErr := home.Status(name); statErr == nil && w.Keep(was[name], now) {
			continue
		}
		err = errors.Join(err, w.Add(context.Background(), backup.Source{
			Tree: "t", Name: name, Was: was[name], Open: func() (homefs.File, error) { return home.Open(name) },
		}))
	}
	if err != nil {
		return backup.Head{}, backup.Written{}, errors.Join(err, w.Abort())
	}
	return w.Commit(backup.Head{})
}

// check compares a backup with what the files were.
func (w world) check(repo, id string, o backup.Options) error {
	r, err := backup.Open(repo, o)
	if err != nil {
		return err
	}
	defer r.Close()
	b, err := r.Load(id)
	if err != nil {
		return err
	}
	if len(b.List) != len(w) {
		return fmt.Errorf("%d files, want %d", len(b.List), len(w))
	}
	for _, f := range b.List {
		got, err := io.ReadAll(r.Open(f))
		if err != nil || !bytes.Equal(got, w[f.Name]) {
			return fmt.Errorf("%s: %d bytes, want %d: %w", f.Name, len(got), len(w[f.Name]), err)
		}
	}
	return nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Every backup gives back what was there when it was made, and a file that grew costs what
// was added to it.
func TestIncremental(t *testing.T) {
	rnd := rand.New(rand.NewPCG(storetest.Seed(t), 1))
	dir, repo, o := t.TempDir(), filepath.Join(t.TempDir(), "b"), backup.Options{}
	first := someWorld(rnd)
	first.write(t, dir)
	one, wrote, err := backUp(dir, repo, o)
	must(t, err)
	if wrote.Stored < 3_000_000 || wrote.Stored > 6_000_000 {
		t.Errorf("the first backup wrote %d bytes", wrote.Stored)
	}
	second := first.clone()
	grown := "size 3500000"
	second[grown] = append(slices.Clone(first[grown]), noise(rnd, 5000)...)
	second["new"] = noise(rnd, 1000)
	second["size 10"] = []byte("rewritten")
	delete(second, "empty")
	must(t, os.Remove(filepath.Join(dir, "empty")))
	second.write(t, dir)
	two, wrote, err := backUp(dir, repo, o)
	must(t, err)
	if wrote.Stored > 20_000 {
		t.Errorf("6,000 new bytes cost %d", wrote.Stored)
	}
	_, wrote, err = backUp(dir, repo, o)
	must(t, err)
	if wrote.Stored > 2000 {
		t.Errorf("no new byte costs %d", wrote.Stored)
	}
	must(t, first.check(repo, one.ID, o))
	must(t, second.check(repo, two.ID, o))
	must(t, second.check(repo, "", o))
	r, err := backup.Open(repo, o)
	must(t, err)
	v, err := r.Verify(context.Background(), nil)
	if err != nil || v.Backups != 3 || len(v.Flaws)+len(v.Lost) > 0 {
		t.Errorf("%+v, %v", v, err)
	}
}

// A file that grows by lines does not become a chunk for each of them.
func TestGrowsByLines(t *testing.T) {
	dir, repo, o := t.TempDir(), filepath.Join(t.TempDir(), "b"), backup.Options{}
	w := world{"f": nil}
	for n := range 20 {
		w["f"] = append(w["f"], fmt.Sprintf("line %d\n", n)...)
		w.write(t, dir)
		_, _, err := backUp(dir, repo, o)
		must(t, err)
		must(t, w.check(repo, "", o))
	}
	r, err := backup.Open(repo, o)
	must(t, err)
	b, err := r.Load("")
	if err != nil || len(b.List[0].Chunks) != 1 {
		t.Errorf("%d chunks, %v", len(b.List[0].Chunks), err)
	}
}

func TestOneFile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(storetest.Seed(t), 1))
	dir, repo, o := t.TempDir(), filepath.Join(t.TempDir(), "b.tar"), backup.Options{}
	w := someWorld(rnd)
	w.write(t, dir)
	_, _, err := backUp(dir, repo, o)
	must(t, err)
	must(t, w.check(repo, "", o))
	if _, _, err := backUp(dir, repo, o); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there: %v", err)
	}
	must(t, w.check(repo, "", o))
}

func TestEncrypted(t *testing.T) {
	dir, repo := t.TempDir(), filepath.Join(t.TempDir(), "b")
	o := backup.Options{Key: backup.Key{Passphrase: "correct horse"}}
	w := world{"secret": bytes.Repeat([]byte("a secret line of text\n"), 1000)}
	w.write(t, dir)
	_, _, err := backUp(dir, repo, o)
	must(t, err)
	must(t, w.check(repo, "", o))
	for _, key := range []backup.Key{{}, {Passphrase: "wrong horse"}, {Identities: "AGE-SECRET-KEY-1"}} {
		if err := w.check(repo, "", backup.Options{Key: key}); !errors.Is(err, backup.ErrKey) {
			t.Errorf("%+v: %v", key, err)
		}
	}
	err = filepath.WalkDir(repo, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte("secret line")) || bytes.Contains(data, []byte(`"secret"`)) || bytes.HasPrefix(data, []byte("sesskeep-pack")) {
			t.Errorf("%s is readable", path)
		}
		return err
	})
	must(t, err)
}

// Wherever the machine stops, and whatever call fails, the last finished backup is whole,
// and the next one can be made.
func TestInterrupted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(storetest.Seed(t), 1))
	dir := t.TempDir()
	first := world{"a": noise(rnd, 100), "b": noise(rnd, 2<<20)}
	second := first.clone()
	second["b"] = append(slices.Clone(first["b"]), noise(rnd, 1<<20)...)
	second["c"] = noise(rnd, 500)
	prepare := func() string {
		repo := filepath.Join(t.TempDir(), "b")
		must(t, os.RemoveAll(filepath.Join(dir, "c")))
		first.write(t, dir)
		_, _, err := backUp(dir, repo, backup.Options{})
		must(t, err)
		second.write(t, dir)
		return repo
	}
	learn := disktest.New(t)
	_, _, err := backUp(dir, prepare(), backup.Options{Disk: learn})
	must(t, err)
	points := learn.Points()
	if len(points) < 8 {
		t.Fatalf("points: %v", points)
	}
	after := func(what string, repo string, done bool) {
		t.Helper()
		want := first
		if heads(t, repo) == 2 {
			want = second
		} else if done {
			t.Errorf("%s: the backup that was finished is not there", what)
		}
		if err := want.check(repo, "", backup.Options{}); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if _, _, err := backUp(dir, repo, backup.Options{}); err != nil {
			t.Errorf("%s: the next one: %v", what, err)
		}
		if err := second.check(repo, "", backup.Options{}); err != nil {
			t.Errorf("%s: after the next one: %v", what, err)
		}
	}
	losses := map[string]disktest.Loss{"all lost": disktest.Lose, "nothing lost": disktest.Keep, "some lost": disktest.Tear(1)}
	for _, p := range points {
		for name, loss := range losses {
			d, repo := disktest.New(t), prepare()
			d.Crash(p)
			_, _, err := backUp(dir, repo, backup.Options{Disk: d})
			must(t, d.Reboot(loss))
			after(fmt.Sprintf("crash at %v, %s", p, name), repo, err == nil)
		}
		d, repo := disktest.New(t), prepare()
		d.Fail(p, syscall.ENOSPC)
		_, _, err := backUp(dir, repo, backup.Options{Disk: d})
		if err == nil || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("full at %v: %v", p, err)
		}
		after(fmt.Sprintf("full at %v", p), repo, false)
	}
}

func heads(t *testing.T, repo string) int {
	t.Helper()
	r, err := backup.Open(repo, backup.Options{})
	must(t, err)
	list, damaged, err := r.List()
	if err != nil || len(damaged) > 0 {
		t.Fatal(damaged, err)
	}
	return len(list)
}

// Verify finds every bit that changed, and names the files that cannot be read: no other file
// is lost.
func TestDamage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(storetest.Seed(t), 1))
	dir := t.TempDir()
	w := someWorld(rnd)
	w.write(t, dir)
	id, err := newIdentity()
	must(t, err)
	for name, key := range map[string]backup.Key{"plain": {}, "encrypted": id} {
		repo, o := filepath.Join(t.TempDir(), "b"), backup.Options{Key: key}
		_, _, err := backUp(dir, repo, o)
		must(t, err)
		packs, err := filepath.Glob(filepath.Join(repo, "packs", "*"))
		must(t, err)
		for range 40 {
			file := packs[rnd.IntN(len(packs))]
			data, err := os.ReadFile(file)
			must(t, err)
			at := rnd.IntN(len(data))
			if rnd.IntN(3) == 0 {
				at = max(0, len(data)-1-rnd.IntN(600)) // where the list of chunks is
			}
			broken := slices.Clone(data)
			broken[at] ^= 1 << rnd.IntN(8)
			must(t, os.WriteFile(file, broken, 0o600))
			checkDamaged(t, fmt.Sprintf("%s, byte %d of %d", name, at, len(data)), w, repo, o)
			must(t, os.WriteFile(file, data, 0o600))
		}
		must(t, w.check(repo, "", o))
	}
}

func checkDamaged(t *testing.T, what string, w world, repo string, o backup.Options) {
	t.Helper()
	r, err := backup.Open(repo, o)
	must(t, err)
	defer r.Close()
	v, err := r.Verify(context.Background(), nil)
	must(t, err)
	if len(v.Flaws) == 0 {
		t.Errorf("%s: not noticed", what)
	}
	lost := map[string]bool{}
	for _, f := range v.Lost {
		lost[f.Name] = true
	}
	b, err := r.Load("")
	must(t, err)
	for _, f := range b.List {
		got, err := io.ReadAll(r.Open(f))
		switch {
		case err == nil && !bytes.Equal(got, w[f.Name]):
			t.Errorf("%s: %s is wrong", what, f.Name)
		case (err != nil) != lost[f.Name]:
			t.Errorf("%s: %s: lost %v, read %v", what, f.Name, lost[f.Name], err)
		}
	}
	if strings.HasPrefix(what, "plain") && len(lost) == len(w) {
		t.Errorf("%s: everything is lost", what)
	}
}

// What another backup repaired by storing it again can be restored.
func TestStoredAgain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(storetest.Seed(t), 1))
	dir, repo, o := t.TempDir(), filepath.Join(t.TempDir(), "b"), backup.Options{}
	w := someWorld(rnd)
	w.write(t, dir)
	_, _, err := backUp(dir, repo, o)
	must(t, err)
	packs, err := filepath.Glob(filepath.Join(repo, "packs", "*"))
	must(t, err)
	must(t, os.Remove(packs[0]))
	if err := w.check(repo, "", o); !errors.Is(err, backup.ErrDamaged) {
		t.Fatalf("a lost pack: %v", err)
	}
	_, _, err = backUp(dir, repo, o)
	must(t, err)
	must(t, w.check(repo, "", o))
}

func TestRefused(t *testing.T) {
	dir, repo := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(repo, "letter.txt"), nil, 0o600))
	if _, _, err := backUp(dir, repo, backup.Options{}); !errors.Is(err, backup.ErrTaken) {
		t.Errorf("a directory with other files: %v", err)
	}
	if _, err := backup.Open(repo, backup.Options{}); !errors.Is(err, backup.ErrNone) {
		t.Errorf("no backup: %v", err)
	}
	held := filepath.Join(t.TempDir(), "b")
	w, err := backup.NewWriter(held, backup.Options{Disk: disk.Real})
	must(t, err)
	if _, err := backup.NewWriter(held, backup.Options{}); !errors.Is(err, backup.ErrHeld) {
		t.Errorf("two at a time: %v", err)
	}
	must(t, w.Abort())
}
