package shelf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"sesskeep"
)

// ElsewhereError says that an act is of a home that was not meant.
type ElsewhereError struct {
	ID   int
	Home string
}

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("undo %d: that change was made in another home: %s", e.ID, e.Home)
}

// Undo plans to take an act of some homes back; 0 is the last one there that is
// no undo itself. If the file is as the act left it, it gets its very bytes back.
// If others changed it since, hooks that were installed are taken out and the
// rest stays; every other act then stays too, and the error is
// [ErrChanged]. That of an act of another home is an *ElsewhereError.
func (s *Shelf) Undo(id int, homes []string) (Plan, error) {
	j, err := s.readJournal()
	if err != nil {
		return Plan{}, err
	}
	a, err := j.undoable(id, homes)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Verb: "undo", File: a.File, Path: a.Path, Undoes: a.ID}
	if p.Before, err = content(a.Path); err != nil {
		return p, &sesskeep.Error{Op: "undo", Name: a.File, Err: err}
	}
	before, lost := s.backup(a)
	switch {
	case sum(p.Before) == a.Before:
		return p, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: errors.New("the file is as it was before already")}
	case sum(p.Before) == a.After && lost == nil:
		p.After = before
		return p, p.allowed()
	case a.Verb != installVerb || holdsOurs(before):
		return p, s.refuse(a, lost)
	}
	p.Partly = true
	p.After, err = withoutOurs(p.Before, before, a.Before == "")
	if err != nil {
		return p, &sesskeep.Error{Op: "undo", Name: a.File, Err: err}
	}
	if p.Empty() {
		return p, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: errors.New("our hooks are not in the file any more")}
	}
	return p, p.allowed()
}

func (s *Shelf) refuse(a Act, lost error) error {
	if lost != nil {
		return &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: lost}
	}
	err := fmt.Errorf("%s %w, and nothing was done; what was there before is in %s", a.File, ErrChanged, s.backupPath(a.Backup))
	if a.Backup == "" {
		err = fmt.Errorf("%s %w, and nothing was done; before, there was no such file", a.File, ErrChanged)
	}
	return &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: err}
}

// undoable finds an act that can be taken back.
func (j *journal) undoable(id int, homes []string) (Act, error) {
	if id == 0 {
		for _, a := range slices.Backward(j.acts) {
			if a.State == Done && a.Undoes == 0 && a.In(homes) {
				return a, nil
			}
		}
		return Act{}, &sesskeep.Error{Op: "undo", Name: "the last change", Err: sesskeep.ErrNotFound}
	}
	a := j.act(id)
	if a == nil {
		return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: sesskeep.ErrNotFound}
	}
	if !a.In(homes) {
		return Act{}, &ElsewhereError{id, a.Home()}
	}
	if a.State == Undone || a.State == Dropped {
		return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: fmt.Errorf("it was %s", a.State)}
	}
	return *a, nil
}

// Home is the home an act changed something in.
func (a *Act) Home() string {
	if !filepath.IsAbs(a.File) { // then nobody knows from where it was named
		return filepath.Dir(a.Path)
	}
	return filepath.Dir(a.File)
}

// In reports whether an act is of one of some homes.
func (a *Act) In(homes []string) bool {
	return slices.ContainsFunc(homes, func(home string) bool { return sameDir(home, a.Home()) })
}

// sameDir reports whether two names are of one directory, which need not be
// there any more.
func sameDir(a, b string) bool {
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	if errA == nil && errB == nil && a == b {
		return true
	}
	here, errA := os.Stat(a)
	there, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(here, there)
}
