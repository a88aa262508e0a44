package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Purge removes for good what lies in the trash. It is the one step that cannot be
// undone, so it comes last in its act.
type Purge struct {
	Path string `json:"path"`
}

// TrashDir is where families lie that were moved to the trash.
func (s *Shelf) TrashDir() string { return s.data.trash() }

// ErrPurged says that an act cannot be undone.
var ErrPurged = errors.New("what was purged is gone")

func (p Purge) file() string { return p.Path }

func (p Purge) check(t *task) (Step, error) {
	if err := p.allow(t); err != nil {
		return p, err
	}
	_, err := os.Lstat(p.Path)
	return p, err
}

// allow refuses everything but what lies directly in the trash.
func (p Purge) allow(t *task) error {
	trash, err := realDir(t.shelf.data.trash())
	if err != nil {
		return err
	}
	dir, err := realDir(filepath.Dir(p.Path))
	if err != nil {
		return err
	}
	if name := filepath.Base(p.Path); dir != trash || strings.HasPrefix(name, ".") {
		return fmt.Errorf("%s is not in the trash: %w", p.Path, fs.ErrPermission)
	}
	return nil
}

// aside is the name it has while it is removed, so that half of it is not mistaken for
// the whole.
func (p Purge) aside(t *task) string {
	return filepath.Join(filepath.Dir(p.Path), fmt.Sprintf(".purge-%s-%s", t.number(), t.tag))
}

func (p Purge) stage(*task) (Step, error) { return p, nil }

func (p Purge) run(t *task) error {
	if err := p.allow(t); err != nil {
		return err
	}
	if err := t.at("purge"); err != nil {
		return err
	}
	if err := t.sys().Rename(p.Path, p.aside(t)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := t.sys().SyncDir(filepath.Dir(p.Path)); err != nil {
		return err
	}
	if err := t.at("purged"); err != nil {
		return err
	}
	return t.shelf.data.removeTree(p.aside(t))
}

func (p Purge) revert(t *task) error {
	if is, err := there(p.Path); err != nil || is {
		return err
	}
	return ErrPurged
}

func (p Purge) inverse(*task) (Step, error) { return nil, ErrPurged }

// Prune removes what acts have left of directories in the trash: those without any
// file. One that cannot be removed does no harm.
func (s *Shelf) Prune() {
	entries, err := os.ReadDir(s.data.trash())
	if err != nil {
		return
	}
	for _, e := range entries {
		dir := filepath.Join(s.data.trash(), e.Name())
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !hasFiles(dir) {
			_ = s.data.removeTree(dir)
		}
	}
}

// hasFiles reports whether there is anything but directories below one.
func hasFiles(dir string) bool {
	found := false
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			found = true
			return fs.SkipAll
		}
		return err
	})
	return found || err != nil
}
