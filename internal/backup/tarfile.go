package backup

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/disk"
	"sesskeep/internal/regular"
)

// tarFile is a repository in one file, a tar archive. It is written once, under a temporary
// name until it is complete.
type tarFile struct {
	path string
	sys  disk.System
	now  func() time.Time

	members map[string]member // files of an archive that is read
	file    *os.File

	out *tar.Writer // writes a new archive; nil: the archive is read
	to  disk.File
}

// member is where a file lies in the archive.
type member struct{ at, size int64 }

// openTar opens an archive and finds its members.
func openTar(path string) (*tarFile, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	t := &tarFile{path: path, file: f, members: map[string]member{}}
	r := tar.NewReader(f)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) && len(t.members) > 0 {
			return t, nil
		}
		if err != nil {
			// An archive that ends early still has the members before its end.
			if _, ok := t.members[formName]; ok {
				return t, nil
			}
			return nil, errors.Join(fmt.Errorf("%w in %s", ErrNone, path), f.Close())
		}
		at, err := f.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if h.Typeflag == tar.TypeReg {
			t.members[h.Name] = member{at, h.Size}
		}
	}
}

func (t *tarFile) list(dir string) (names []string, err error) {
	for name := range t.members {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	return names, nil
}

func (t *tarFile) open(name string) (stored, error) {
	m, ok := t.members[name]
	if !ok {
		return stored{}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return stored{io.NewSectionReader(t.file, m.at, m.size), io.NopCloser(nil), m.size}, nil
}

// createTar starts a new archive.
func createTar(path string, sys disk.System, now func() time.Time) (*tarFile, error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	f, err := sys.OpenFile(path+partSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return &tarFile{path: path, sys: sys, now: now, members: map[string]member{}, out: tar.NewWriter(f), to: f}, nil
}

func (t *tarFile) put(name string, data []byte) error {
	if t.out == nil {
		return fmt.Errorf("%s: %w", t.path, fs.ErrExist)
	}
	h := tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), ModTime: t.now().Truncate(time.Second)}
	if err := t.out.WriteHeader(&h); err != nil {
		return err
	}
	_, err := t.out.Write(data)
	return err
}

func (t *tarFile) commit() error {
	err := t.out.Close()
	if err == nil {
		err = t.to.Sync()
	}
	if err = errors.Join(err, t.to.Close()); err == nil {
		err = t.name()
	}
	if err != nil {
		return errors.Join(err, disk.Remove(t.sys, t.path+partSuffix))
	}
	return t.sys.SyncDir(filepath.Dir(t.path))
}

// name gives the archive its final name, unless a file has that name.
func (t *tarFile) name() error {
	err := t.sys.RenameNew(t.path+partSuffix, t.path)
	if err == nil || !disk.Cannot(err) {
		return err
	}
	if _, err := os.Lstat(t.path); err == nil {
		return &fs.PathError{Op: "create", Path: t.path, Err: fs.ErrExist}
	}
	return t.sys.Rename(t.path+partSuffix, t.path)
}

func (t *tarFile) abort() error {
	return errors.Join(t.to.Close(), disk.Remove(t.sys, t.path+partSuffix))
}
