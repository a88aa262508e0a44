package app

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"sesskeep"
)

// inTrash knows what of the homes lies in the trash. Copies of it stand in for
// nothing: whoever moved a session there does not want to meet it in lists.
type inTrash struct {
	shelf *Shelf // nil: there is no trash

	mu    sync.Mutex
	read  time.Time // the trash as it was read last
	units map[string]bool
}

// has reports whether a file of the home at root, or a directory it lies in, was
// moved to the trash.
func (t *inTrash) has(root, name string) bool {
	if t.shelf == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refresh()
	for ; name != "." && name != "/"; name = path.Dir(name) {
		if t.units[unitKey(root, name)] {
			return true
		}
	}
	return false
}

func unitKey(root, name string) string { return root + "\x00" + name }

// refresh reads the trash again if something came or went.
func (t *inTrash) refresh() {
	info, err := os.Stat(t.shelf.TrashDir())
	if err != nil {
		t.units, t.read = nil, time.Time{}
		return
	}
	if info.ModTime().Equal(t.read) && time.Since(t.read) > time.Second {
		return
	}
	t.read, t.units = info.ModTime(), map[string]bool{}
	entries, _ := os.ReadDir(t.shelf.TrashDir())
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		item, err := readManifest(t.shelf, e.Name())
		if err != nil {
			continue // doctor and "trash ls" tell of it
		}
		for _, unit := range item.Units {
			t.units[unitKey(item.Root, unit)] = true
		}
	}
}

// untrashed is the copies of a home without those of what lies in the trash.
type untrashed struct {
	copies sesskeep.FS
	trash  *inTrash
	root   string
}

func (u untrashed) hides(op, name string) error {
	if u.trash.has(u.root, path.Clean(name)) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

// Open opens a copy.
func (u untrashed) Open(name string) (sesskeep.File, error) {
	if err := u.hides("open", name); err != nil {
		return nil, err
	}
	return u.copies.Open(name)
}

// Stat tells what a copy is of.
func (u untrashed) Stat(name string) (fs.FileInfo, error) {
	if err := u.hides("stat", name); err != nil {
		return nil, err
	}
	return u.copies.Stat(name)
}

// ReadDir lists copies.
func (u untrashed) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := u.hides("read", name); err != nil {
		return nil, err
	}
	entries, err := u.copies.ReadDir(name)
	kept := entries[:0:0]
	for _, e := range entries {
		if !u.trash.has(u.root, path.Join(name, e.Name())) {
			kept = append(kept, e)
		}
	}
	return kept, err
}
