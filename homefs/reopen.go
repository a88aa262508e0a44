package homefs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// directory is a home on disk by its path. What is opened is the directory that
// was there; another one can take its directory later: a home that is moved away
// and copied back is not the one that was opened.
type directory struct {
	root   string
	now    atomic.Pointer[disk]     // nil: there was nothing to open
	others atomic.Pointer[[]string] // homes there are besides; nil: none is known
}

// beside says which other homes there are.
func (p *directory) beside(homes []string) {
	p.others.Store(&homes)
	if d := p.now.Load(); d != nil {
		d.denied.beside(homes)
	}
}

func openDirectory(root string) (*directory, error) {
	d, err := openDisk(root)
	if err != nil {
		return nil, err
	}
	p := &directory{root: root}
	p.now.Store(d)
	return p, nil
}

func (p *directory) ReadDir(name string) ([]os.DirEntry, error) {
	if d := p.now.Load(); d != nil {
		return d.ReadDir(name)
	}
	return nil, os.ErrNotExist
}

func (p *directory) Stat(name string) (os.FileInfo, error) {
	if d := p.now.Load(); d != nil {
		return d.Stat(name)
	}
	return nil, os.ErrNotExist
}

func (p *directory) Open(name string) (File, error) {
	if d := p.now.Load(); d != nil {
		return d.Open(name)
	}
	return nil, os.ErrNotExist
}

// renew opens what is at the path now, if that is not what was opened.
func (p *directory) renew() (bool, error) {
	was := p.now.Load()
	if was != nil {
		if _, err := locate(p.root, was.location); err != nil {
			return false, err
		}
		same, err := was.current(p.root)
		if err != nil || same {
			return false, err
		}
	}
	d, err := openDisk(p.root)
	if err != nil {
		return false, err
	}
	if others := p.others.Load(); others != nil {
		d.denied.beside(*others)
	}
	// The old one is not closed: somebody may be reading from it.
	return p.now.CompareAndSwap(was, d), nil
}

// current reports whether the home, and every directory it links to, is still
// the one that was opened.
func (d *disk) current(root string) (bool, error) {
	dir, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false, err
	}
	if same, err := isAt(d.root, dir); err != nil || !same || dir != d.dir {
		return false, err
	}
	for name, linked := range d.linked {
		target, err := filepath.EvalSymlinks(d.path(name))
		if err != nil {
			return false, nil // it is looked for again
		}
		if same, err := isAt(linked, target); err != nil || !same {
			return false, nil
		}
	}
	return true, nil
}

func isAt(root *os.Root, dir string) (bool, error) {
	opened, err := root.Stat(".")
	if err != nil {
		return false, err
	}
	there, err := os.Stat(dir)
	return err == nil && os.SameFile(opened, there), err
}

// Renew opens the home again if its directory was replaced since, and reports
// whether it was. If the home is no longer there, Renew returns an error and keeps
// what was open: see [Home.Locate]. A home that is not on disk is never replaced.
func (h *Home) Renew() (bool, error) {
	p := h.directory()
	if p == nil {
		return false, nil
	}
	changed, err := p.renew()
	h.unread.note("open", ".", err)
	if _, isBacked := h.fsys.(*backed); isBacked && errors.Is(err, os.ErrNotExist) {
		return false, nil // its copies are there
	}
	if err != nil {
		return false, &fs.PathError{Op: "open", Path: h.root, Err: cause(err)}
	}
	return changed, nil
}

// Reopen opens the same home a second time, as it is now.
func (h *Home) Reopen() (*Home, error) {
	switch fsys := h.fsys.(type) {
	case *directory:
		again, err := Open(h.root)
		return h.shared(again), err
	case *backed:
		again, err := OpenBacked(h.root, fsys.copies)
		return h.shared(again), err
	}
	return h, nil
}

// shared gives another opening of the same home what belongs to the home.
func (h *Home) shared(again *Home) *Home {
	if again != nil {
		again.unread = h.unread
		again.Beside(h.others()...)
	}
	return again
}

// Beside says which homes there are besides this one, by their directories. What is on
// the deny-list of one of them is not opened here either: a hard link can give it a
// name in this home.
func (h *Home) Beside(homes ...string) {
	if p := h.directory(); p != nil {
		p.beside(homes)
	}
}

// others are the other homes that Beside named.
func (h *Home) others() []string {
	if p := h.directory(); p != nil {
		if homes := p.others.Load(); homes != nil {
			return *homes
		}
	}
	return nil
}

// directory is where the home is on disk; nil: nowhere.
func (h *Home) directory() *directory {
	fsys := h.fsys
	if b, ok := fsys.(*backed); ok {
		fsys = b.disk
	}
	p, _ := fsys.(*directory)
	return p
}

// Missing reports whether the home exists and has nothing called name. A name that cannot
// be examined, for lack of permission for example, is not missing.
func (h *Home) Missing(name string) bool {
	_, err := h.Info(name)
	return errors.Is(err, os.ErrNotExist)
}
