package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// swap gives a file another content in one step. It does so only if the file
// still has the content named by before. The new content is first written to
// temp, beside the file; whoever reads the file sees the old or the new one.
func swap(path, temp, before string, after []byte) error {
	if after == nil {
		if err := unchanged(path, before); err != nil {
			return err
		}
		return errors.Join(os.Remove(path), syncDir(filepath.Dir(path)))
	}
	if err := fill(path, temp, after); err != nil {
		return err
	}
	if err := unchanged(path, before); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// fill writes temp with the mode and the owner of the file it will replace.
func fill(path, temp string, data []byte) error {
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	old, err := os.Stat(path)
	if err == nil {
		// The owner first: changing it takes away some of the mode.
		err = errors.Join(keepOwner(f, old), f.Chmod(old.Mode().Perm()))
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func unchanged(path, before string) error {
	data, err := content(path)
	if err != nil {
		return err
	}
	if sum(data) != before {
		return fmt.Errorf("somebody wrote it just now: %w", ErrChanged)
	}
	return nil
}

// keep writes a backup. A name is used once.
func (s *Shelf) keep(name string, data []byte) error {
	path := s.backupPath(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// One that is there was left by a crash before its act was in the journal.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), syncDir(filepath.Dir(path)))
}

// Backup is the path of the file that keeps what an act replaced; empty if
// there was no file.
func (s *Shelf) Backup(a Act) string {
	if a.Backup == "" {
		return ""
	}
	return s.backupPath(a.Backup)
}

// backup reads the bytes an act replaced. They must be the ones it says.
func (s *Shelf) backup(a Act) ([]byte, error) {
	if a.Before == "" {
		return nil, nil
	}
	data, err := os.ReadFile(s.backupPath(a.Backup))
	if err != nil {
		return nil, err
	}
	if sum(data) != a.Before {
		return nil, fmt.Errorf("backup %s is damaged", s.backupPath(a.Backup))
	}
	return data, nil
}
