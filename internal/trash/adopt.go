package trash

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sesskeep/homefs"
	"sesskeep/internal/disk"
	"sesskeep/internal/sealed"
)

// Decode reads the manifest of a family in the trash. Errors name its path.
func Decode(path string, data []byte) (Trashed, error) {
	m, err := sealed.Decode[manifest](path, data, manifestVersion)
	if err != nil {
		return Trashed{}, err
	}
	return m.Trashed, m.check()
}

// Foreign is a family of another trash.
type Foreign struct {
	Trashed
	Names  []string                                 // of its files in the home
	Rename func(string) (string, error)             // what a file of the home is called here
	Open   func(name string) (io.ReadCloser, error) // reads a file
}

// Free returns [fs.ErrExist] if something in the trash has a name.
func (tr *Trash) Free(name string) error {
	path := filepath.Join(tr.journal.Shelf.TrashDir(), name)
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return nil
}

// Adopt puts a family of another trash into this one, all at once.
func (tr *Trash) Adopt(f Foreign) error {
	if f.Name != filepath.Base(f.Name) || strings.HasPrefix(f.Name, ".") {
		return &fs.PathError{Op: "restore", Path: f.Name, Err: homefs.ErrDenied}
	}
	if err := tr.Free(f.Name); err != nil {
		return err
	}
	dir := filepath.Join(tr.journal.Shelf.TrashDir(), "."+f.Name) // lists leave such names out
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := f.write(dir); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return errors.Join(disk.Real.RenameNew(dir, filepath.Join(filepath.Dir(dir), f.Name)), disk.Real.SyncDir(filepath.Dir(dir)))
}

// write writes the family into a directory.
func (f *Foreign) write(dir string) error {
	members := map[string]*Member{}
	for i := range f.Members {
		members[f.Members[i].File] = &f.Members[i]
	}
	for _, name := range f.Names {
		to, err := f.Rename(name)
		if err != nil {
			return err
		}
		if homefs.Denied(to) || !filepath.IsLocal(filepath.FromSlash(to)) {
			return &fs.PathError{Op: "restore", Path: to, Err: homefs.ErrDenied}
		}
		path := filepath.Join(dir, "files", filepath.FromSlash(to))
		size, err := f.writeFile(name, path)
		if err != nil {
			return err
		}
		m := members[name]
		if m == nil {
			continue
		}
		m.Size = size // its records may name other paths now
		if isTranscript(name) {
			if m.Sum, err = sumOf(path); err != nil {
				return err
			}
		}
	}
	for i := range f.Members {
		var err error
		if f.Members[i].File, err = f.Rename(f.Members[i].File); err != nil {
			return err
		}
	}
	for i, unit := range f.Units {
		var err error
		if f.Units[i], err = f.Rename(unit); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(manifest{manifestVersion, f.Trashed}, "", "  ")
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(disk.Real, dir, 0o700); err != nil {
		return err
	}
	return disk.WriteFile(disk.Real, filepath.Join(dir, ManifestName), sealed.Seal(text), 0o600)
}

// writeFile writes a file of the family, and returns its size.
func (f *Foreign) writeFile(name, path string) (n int64, err error) {
	r, err := f.Open(name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := disk.MkdirAll(disk.Real, filepath.Dir(path), 0o700); err != nil {
		return 0, err
	}
	out, err := disk.Real.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(out, r)
	if err == nil {
		err = out.Sync()
	}
	return n, errors.Join(err, out.Close())
}

// check refuses a manifest that leads out of the home.
func (t *Trashed) check() error {
	for _, unit := range t.Units {
		if !filepath.IsLocal(filepath.FromSlash(unit)) {
			return fmt.Errorf("%s leads out of the home", unit)
		}
	}
	return nil
}
