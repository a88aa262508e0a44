package sesskeep

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
)

// place is a home on disk by its path. What is opened is the directory that
// was there; another one can take its place later: a home that is moved away
// and copied back is not the one that was opened.
type place struct {
	root   string
	now    atomic.Pointer[disk]     // nil: there was nothing to open
	others atomic.Pointer[[]string] // homes there are besides; nil: none is known
}

// beside says which other homes there are.
func (p *place) beside(homes []string) {
	p.others.Store(&homes)
	if d := p.now.Load(); d != nil {
		d.denied.beside(homes)
	}
}

func openPlace(root string) (*place, error) {
	d, err := openDisk(root)
	if err != nil {
		return nil, err
	}
	p := &place{root: root}
	p.now.Store(d)
	return p, nil
}

func (p *place) ReadDir(name string) ([]os.DirEntry, error) {
	if d := p.now.Load(); d != nil {
		return d.ReadDir(name)
	}
	return nil, os.ErrNotExist
}

func (p *place) Stat(name string) (os.FileInfo, error) {
	if d := p.now.Load(); d != nil {
		return d.Stat(name)
	}
	return nil, os.ErrNotExist
}

func (p *place) Open(name string) (File, error) {
	if d := p.now.Load(); d != nil {
		return d.Open(name)
	}
	return nil, os.ErrNotExist
}

// renew opens what is at the path now, if that is not what was opened.
func (p *place) renew() (bool, error) {
	was := p.now.Load()
	if was != nil {
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
// whether it was. If the home no longer exists, Renew returns an error and keeps
// what was open. A Store that is not on disk is never replaced.
func (s *Store) Renew() (bool, error) {
	p := s.place()
	if p == nil {
		return false, nil
	}
	changed, err := p.renew()
	s.unread.note("open", ".", err)
	if _, isBacked := s.fsys.(*backed); isBacked && errors.Is(err, os.ErrNotExist) {
		return false, nil // its copies are there
	}
	if err != nil {
		return false, &Error{Op: "open", Name: s.root, Err: plain(err)}
	}
	return changed, nil
}

// Anew opens a second Store on the same home.
func (s *Store) Anew() (*Store, error) {
	switch fsys := s.fsys.(type) {
	case *place:
		again, err := Open(s.root)
		return s.shared(again), err
	case *backed:
		again, err := OpenBacked(s.root, fsys.copies)
		return s.shared(again), err
	}
	return s, nil
}

// shared gives another Store on the same home what belongs to the home.
func (s *Store) shared(again *Store) *Store {
	if again != nil {
		again.ids, again.unread = s.ids, s.unread
		again.Beside(s.others()...)
	}
	return again
}

// Beside says which homes there are besides this one, by their directories. What is on
// the deny-list of one of them is not opened here either: a hard link can give it a
// name in this home.
func (s *Store) Beside(homes ...string) {
	if p := s.place(); p != nil {
		p.beside(homes)
	}
}

// others are the homes that there are besides, as far as somebody said so.
func (s *Store) others() []string {
	if p := s.place(); p != nil {
		if homes := p.others.Load(); homes != nil {
			return *homes
		}
	}
	return nil
}

// place is where the home is on disk; nil: nowhere.
func (s *Store) place() *place {
	fsys := s.fsys
	if b, ok := fsys.(*backed); ok {
		fsys = b.disk
	}
	p, _ := fsys.(*place)
	return p
}

// Missing reports whether the home exists and has nothing called name. What cannot
// be looked at, for lack of permission for example, is not missing.
func (s *Store) Missing(name string) bool {
	_, err := s.Info(name)
	return errors.Is(err, os.ErrNotExist)
}
