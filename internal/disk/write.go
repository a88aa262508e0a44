package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// MkdirAll makes a directory with those above it, each on the disk before it
// returns.
func MkdirAll(sys System, dir string, perm fs.FileMode) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MkdirAll(sys, parent, perm); err != nil {
			return err
		}
	}
	if err := sys.Mkdir(dir, perm); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return sys.SyncDir(parent)
}

// WriteFile gives a file another content, in one step: after a crash it has the
// old one or the new one, whole. It is on the disk before WriteFile returns.
func WriteFile(sys System, name string, data []byte, perm fs.FileMode) error {
	part := name + ".part"
	f, err := sys.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return errors.Join(err, Remove(sys, part)) // it may have been made all the same
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = sys.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, Remove(sys, part))
	}
	return sys.SyncDir(filepath.Dir(name))
}

// Remove removes a file that may be gone already. It looks first: a read-only mount
// refuses to remove also what is not there.
func Remove(sys System, name string) error {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	err := sys.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
