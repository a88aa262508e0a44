package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Replace gives a file another content in one step. A reader of the file sees the old or
// the new one. Mode and owner stay, and the file that was replaced is kept.
//
// The new content is written to a file beside the old one, and the two exchange
// their names. Then the old one is read: if it is not what was expected, or is written
// meanwhile, a program changed it between our check and the exchange, and they are
// exchanged again. So they are if a program keeps it open to write: what it writes
// belongs into the file. Where the system does not say which files are open, such a
// program writes within 50 ms or into the file that is kept.
type Replace struct {
	File   string  `json:"file"` // as it was named
	Path   string  `json:"path"` // the file itself, where links lead
	Before Content `json:"before"`
	After  Content `json:"after"`
	From   Source  `json:"-"` // of the new content
	// Was is the time of the file before, and Modified the one it gets; zero: the
	// present.
	Was      time.Time `json:"was,omitzero"`
	Modified time.Time `json:"modified,omitzero"`
}

func (r Replace) file() string { return r.File }

func (r Replace) check(t *task) (Step, error) {
	var err error
	if r.Path, err = t.lead(r.File); err != nil {
		return r, err
	}
	if err := writable(r.Path); err != nil {
		return r, err
	}
	if info, err := os.Lstat(r.Path); err == nil {
		r.Was = info.ModTime()
	}
	return r, r.unchanged()
}

// writable refuses to change a file that its owner may not write. The owner removed that
// right on purpose, and a new file in its place would ignore it.
func writable(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.Mode().Perm()&0o200 == 0 {
		err = fmt.Errorf("the file is read-only: %w", fs.ErrPermission)
	}
	return err
}

func (r Replace) unchanged() error {
	now, err := contentOf(r.Path)
	if err == nil && now != r.Before {
		err = errWritten
	}
	return err
}

func (r Replace) stage(t *task) (Step, error) {
	var err error
	r.After, err = t.stageContent(r.From)
	return r, err
}

func (r Replace) run(t *task) error {
	if err := t.still(r.File, r.Path); err != nil {
		return err
	}
	beside := t.beside(r.Path)
	switch exchanged, err := r.exchanged(t); {
	case err != nil:
		return err
	case exchanged:
		return r.confirm(t)
	}
	if done, err := there(t.kept(r.File)); err != nil || done {
		return err
	}
	old, err := os.Lstat(r.Path)
	if err != nil {
		return gone(err)
	}
	if err := t.fill(r.Path, r.After, old.Mode().Perm(), old); err != nil {
		return err
	}
	t.date(beside, r.Modified)
	if err := r.unchanged(); err != nil {
		return err
	}
	if err := t.at("exchange"); err != nil {
		return err
	}
	if err := t.exchange(beside, r.Path); err != nil {
		return gone(err)
	}
	return r.confirm(t)
}

// gone is the error of a file that was there and is not any more.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it is gone: it %w", ErrChanged)
	}
	return err
}

// exchanged reports whether the file beside is the one that was replaced. If it
// is the new content it goes: it is made again.
func (r Replace) exchanged(t *task) (bool, error) {
	beside := t.beside(r.Path)
	if err := mendExchange(t.sys(), beside, r.Path); err != nil {
		return false, err
	}
	switch has, err := contentOf(beside); {
	case err != nil, has == Content{}:
		return false, err
	case has == r.After:
		return false, t.sys().Remove(beside)
	}
	return true, nil
}

// confirm checks the file that was replaced and keeps it.
func (r Replace) confirm(t *task) error {
	if err := t.at("exchanged"); err != nil {
		return err
	}
	if err := t.sys().SyncDir(filepath.Dir(r.Path)); err != nil {
		return err
	}
	for i := range 2 {
		if i > 0 {
			time.Sleep(t.shelf.linger) // for a program that had it open before
			if err := t.at("look again"); err != nil {
				return err
			}
			if !t.waitClosed(t.beside(r.Path)) {
				return errors.Join(errOpen, r.giveBack(t))
			}
		}
		replaced, err := contentOf(t.beside(r.Path))
		if err != nil {
			return err
		}
		if replaced != r.Before {
			return errors.Join(errWritten, r.giveBack(t))
		}
	}
	return t.keep(t.beside(r.Path), r.File)
}

// giveBack puts the file that was replaced in its place again.
func (r Replace) giveBack(t *task) error {
	beside := t.beside(r.Path)
	if err := t.at("give back"); err != nil {
		return err
	}
	if err := t.exchange(beside, r.Path); err != nil {
		return r.keepBoth(t, err)
	}
	if err := t.at("given back"); err != nil {
		return err
	}
	stillOpen := !t.waitClosed(beside)
	ours, err := contentOf(beside)
	if err != nil {
		return err
	}
	if stillOpen || ours != r.After { // a program writes the new one too, and later: it stays
		if err := t.exchange(beside, r.Path); err != nil {
			return err
		}
		return r.keepBoth(t, nil)
	}
	return errors.Join(t.sys().Remove(beside), t.sys().SyncDir(filepath.Dir(r.Path)))
}

// keepBoth keeps the file that was replaced where it cannot be put back.
func (r Replace) keepBoth(t *task, why error) error {
	if err := t.keep(t.beside(r.Path), r.File); err != nil {
		return errors.Join(why, err)
	}
	return errors.Join(why, fmt.Errorf("it was written twice by others; what is not in it is in %s", t.kept(r.File)))
}

func (r Replace) revert(t *task) error {
	exchanged, err := r.exchanged(t)
	if err != nil {
		return err
	}
	if exchanged {
		return errors.Join(r.giveBack(t), t.discard(r.Path))
	}
	kept := t.kept(r.File)
	if is, err := there(kept); err != nil || !is {
		return errors.Join(err, t.discard(r.Path))
	}
	if now, err := contentOf(r.Path); err != nil || now != r.After {
		return errors.Join(err, errWritten)
	}
	if err := r.fetch(t, kept); err != nil {
		return err
	}
	return errors.Join(r.giveBack(t), t.discard(r.Path))
}

// fetch brings the file that was replaced from our data directory.
func (r Replace) fetch(t *task, kept string) error {
	if err := t.at("fetch"); err != nil {
		return err
	}
	now, err := os.Lstat(r.Path)
	if err != nil {
		return err
	}
	if err := t.sys().Chmod(kept, now.Mode().Perm()); err != nil {
		return err
	}
	err = t.sys().Rename(kept, t.beside(r.Path))
	if !acrossDisks(err) {
		return err
	}
	part := t.part(r.Path)
	if err := writeExactly(t.sys(), part, FileSource(kept), r.Before); err != nil {
		return err
	}
	if err := errors.Join(keepOwner(part, now), t.sys().Chmod(part, now.Mode().Perm())); err != nil {
		return err
	}
	t.date(part, r.Was)
	if err := t.sys().Rename(part, t.beside(r.Path)); err != nil {
		return err
	}
	return t.sys().Remove(kept)
}

func (r Replace) inverse(t *task) (Step, error) {
	now, err := contentOf(r.Path)
	if err != nil {
		return nil, err
	}
	kept := t.kept(r.File)
	switch {
	case now == r.Before:
		return nil, errors.New("the file is as it was before already")
	case now != r.After:
		return nil, fmt.Errorf("%s %w, and nothing was done; what was there before is in %s", r.File, ErrChanged, kept)
	}
	had, err := contentOf(kept)
	if err != nil {
		return nil, err
	}
	if had != r.Before {
		return nil, fmt.Errorf("backup %s is damaged", kept)
	}
	return Replace{File: r.File, Before: r.After, From: FileSource(kept), Modified: r.Was}, nil
}
