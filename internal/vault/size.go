package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Size is the size of the copies of all homes.
func (v *Vault) Size() (size int64, err error) {
	entries, err := os.ReadDir(v.dir)
	if err != nil {
		return 0, missing(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		n, err := treeSize(filepath.Join(v.dir, e.Name()))
		if err != nil {
			return size, err
		}
		size += n
	}
	return size, nil
}

// Size is the size of the copies of the home.
func (h *Home) Size() (int64, error) { return treeSize(h.layout.dir) }

// treeSize is the size of all files in the subdirectories of a home. Files directly in its
// directory are no copies: they can be rebuilt, and do not count.
func treeSize(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Dir(path) == dir {
			return missing(err)
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return missing(err)
	})
	return size, err
}

// missing forgives what is not there any more.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
