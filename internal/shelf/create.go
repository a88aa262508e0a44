package shelf

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"sesskeep/internal/disk"
)

// Create makes a new file, with the directories it needs. It overwrites nothing, and
// the file appears with its whole content.
type Create struct {
	File  string      `json:"file"` // as it was named
	Path  string      `json:"path"` // the file itself, where links lead
	After Content     `json:"after"`
	Mode  fs.FileMode `json:"mode"`           // 0: only the owner can read it
	Made  string      `json:"made,omitempty"` // the topmost directory that is made for it
	From  Source      `json:"-"`              // of its content
}

func (p Create) file() string { return p.File }

func (p Create) check(t *task) (Step, error) {
	var err error
	if p.Path, err = t.lead(p.File); err != nil {
		return p, err
	}
	if p.Mode == 0 {
		p.Mode = 0o600
	}
	p.Made = t.firstMissing(p.Path)
	return p, free(p.Path)
}

// free refuses a name that is taken.
func free(path string) error {
	is, err := there(path)
	if err == nil && is {
		err = taken(path)
	}
	return err
}

func (p Create) stage(t *task) (Step, error) {
	var err error
	p.After, err = t.stageContent(p.From)
	return p, err
}

func (p Create) run(t *task) error {
	if err := t.still(p.File, p.Path); err != nil {
		return err
	}
	switch now, err := contentOf(p.Path); {
	case err != nil:
		return err
	case now == p.After:
		return disk.Remove(t.sys(), t.beside(p.Path)) // done before a crash
	case now != Content{}:
		return taken(p.Path)
	}
	if err := disk.MkdirAll(t.sys(), filepath.Dir(p.Path), 0o700); err != nil {
		return err
	}
	if err := t.fill(p.Path, p.After, p.Mode, nil); err != nil {
		return err
	}
	if err := t.at("place"); err != nil {
		return err
	}
	if err := renameNew(t.sys(), t.beside(p.Path), p.Path); err != nil {
		return err
	}
	if err := t.at("placed"); err != nil {
		return err
	}
	return t.sys().SyncDir(filepath.Dir(p.Path))
}

func (p Create) revert(t *task) error {
	beside := t.beside(p.Path)
	if err := disk.Remove(t.sys(), beside); err != nil {
		return err
	}
	now, err := contentOf(p.Path)
	if err != nil || now != p.After {
		return errors.Join(err, t.discard(p.Path))
	}
	if err := t.at("unplace"); err != nil {
		return err
	}
	// Aside first: what a program wrote at the last moment is put back.
	if err := t.sys().Rename(p.Path, beside); err != nil {
		return err
	}
	if now, err := contentOf(beside); err != nil || now != p.After {
		return errors.Join(err, errWritten, renameNew(t.sys(), beside, p.Path))
	}
	return errors.Join(t.sys().Remove(beside), t.discard(p.Path), t.sys().SyncDir(filepath.Dir(p.Path)))
}

func (p Create) tidy(t *task, reverted bool) {
	if reverted {
		t.prune(p.Path, p.Made)
	}
}

func (p Create) inverse(t *task) (Step, error) {
	now, err := contentOf(p.Path)
	switch {
	case err != nil:
		return nil, err
	case now == Content{}:
		return nil, errors.New("the file is gone already")
	case now != p.After:
		return nil, fmt.Errorf("%s %w, and nothing was done; before, there was no such file", p.File, ErrChanged)
	}
	is, err := Identify(p.Path)
	return Move{From: p.Path, Link: p.File, Is: is, Prune: p.Made}, err
}
