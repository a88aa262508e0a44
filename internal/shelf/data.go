package shelf

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// removeTree removes a directory with all it holds, which may be gone already.
func (s *Shelf) removeTree(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			err = s.removeTree(path)
		} else {
			err = s.disk.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return s.disk.Remove(dir)
}
