package shelf

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sesskeep/internal/disk"
)

// data is our data directory, and how files are written.
type data struct {
	dir  string
	disk disk.System
	now  func() time.Time
	at   func(point string) error // tests stop or fail an act at the points it names
}

func (d *data) journal() string           { return filepath.Join(d.dir, "journal.jsonl") }
func (d *data) backup(name string) string { return filepath.Join(d.dir, "backup", name) }
func (d *data) stage() string             { return filepath.Join(d.dir, "stage") }
func (d *data) trash() string             { return filepath.Join(d.dir, "trash") }
func (d *data) lock() string              { return filepath.Join(d.dir, "data.lock") }

// removeTree removes a directory with all it holds, which may be gone already.
func (d *data) removeTree(dir string) error {
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
			err = d.removeTree(path)
		} else {
			err = d.disk.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return d.disk.Remove(dir)
}
