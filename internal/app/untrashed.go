package app

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep"
)

// untrashed are the copies of a home without what lies in the trash. What a user
// threw away is not a session whose source is gone: it is in the trash, and comes
// back from there.
type untrashed struct {
	copies sesskeep.FS
	shelf  *Shelf
	root   string

	mu    sync.Mutex
	state time.Time       // of the directory of the trash when it was read
	units map[string]bool // what was moved there
}

func (a *App) untrashed(root string, copies sesskeep.FS) sesskeep.FS {
	if a.opts.Shelf == nil {
		return copies
	}
	return &untrashed{copies: copies, shelf: a.opts.Shelf, root: root}
}

// telling is after how long the time of a directory tells whether it changed
// since: what comes later gets another one.
const telling = time.Second

// trashed are the paths that were moved to the trash.
func (u *untrashed) trashed() map[string]bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	info, err := os.Stat(u.shelf.TrashDir())
	if err != nil {
		u.units, u.state = nil, time.Time{}
		return nil
	}
	if u.state.Equal(info.ModTime()) && time.Since(u.state) > telling {
		return u.units
	}
	u.state, u.units = info.ModTime(), map[string]bool{}
	entries, _ := os.ReadDir(u.shelf.TrashDir()) // else it is as if it were empty
	for _, e := range entries {
		t, err := readManifest(u.shelf, e.Name())
		if err != nil {
			u.state = time.Time{} // it is being moved: look again
		}
		if err != nil || t.Root != u.root {
			continue
		}
		for _, unit := range t.Units {
			u.units[unit] = true
		}
	}
	return u.units
}

// hides reports whether a path, or what it lies in, is in the trash.
func (u *untrashed) hides(name string) bool {
	units := u.trashed()
	if len(units) == 0 {
		return false
	}
	for name = path.Clean(strings.ReplaceAll(name, `\`, "/")); name != "." && name != "/"; name = path.Dir(name) {
		if units[name] {
			return true
		}
	}
	return false
}

// ReadDir lists the copies in a directory.
func (u *untrashed) ReadDir(name string) ([]fs.DirEntry, error) {
	if u.hides(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	entries, err := u.copies.ReadDir(name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return u.hides(path.Join(name, e.Name())) }), err
}

// Stat tells of a copy.
func (u *untrashed) Stat(name string) (fs.FileInfo, error) {
	if u.hides(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return u.copies.Stat(name)
}

// Open opens a copy.
func (u *untrashed) Open(name string) (sesskeep.File, error) {
	if u.hides(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.copies.Open(name)
}
