package homes

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"sesskeep/homefs"
)

// Outside opens the directories of projects, which do not lie in one of the homes, and
// knows what could not be read in them.
type Outside struct {
	homes []string // whose secrets are not read through a link in a project either

	mu     sync.Mutex
	opened map[string]*homefs.Home // by path, when it was last opened
	failed map[string]error        // that could not be opened
}

// Claude opens the .claude directory of a project, or gives nil.
func (d *Outside) Claude(path string) *homefs.Home {
	if !local(path) {
		return nil
	}
	return d.Open(filepath.Join(path, ".claude"))
}

// Open opens a directory of a project, or gives nil.
func (d *Outside) Open(dir string) *homefs.Home {
	if !local(dir) {
		return nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return nil
	}
	var files *homefs.Home
	if err == nil {
		files, err = homefs.Open(dir)
	}
	if err == nil {
		files.Beside(d.homes...)
	}
	d.note(dir, files, err)
	return files
}

// note remembers how opening ended. A directory that is gone, or that belongs to somebody
// else, has nothing for us.
func (d *Outside) note(dir string, files *homefs.Home, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened == nil {
		d.opened, d.failed = map[string]*homefs.Home{}, map[string]error{}
	}
	delete(d.opened, dir)
	delete(d.failed, dir)
	switch {
	case err == nil:
		d.opened[dir] = files
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.ENOTDIR):
		d.failed[dir] = err
	}
}

// Unread lists what could not be read.
func (d *Outside) Unread() (list []error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, dir := range slices.Sorted(maps.Keys(d.failed)) {
		list = append(list, d.failed[dir])
	}
	for _, dir := range slices.Sorted(maps.Keys(d.opened)) {
		for _, err := range d.opened[dir].Unread() {
			list = append(list, err)
		}
	}
	return list
}

// askAgain asks again what could not be read, and reports whether anything can be now.
func (d *Outside) askAgain() (changed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, files := range d.opened {
		changed = files.RetryUnread() || changed
	}
	return changed
}

// local reports whether a path is one of this machine. Paths come from
// transcripts: one on another machine is not reached out for.
func local(path string) bool {
	return filepath.IsAbs(path) && !strings.HasPrefix(path, `\\`) && !strings.HasPrefix(path, "//")
}
