package shelf

import (
	"errors"
	"fmt"
	"strconv"

	"sesskeep"
)

// Undo plans to take an act back; 0 is the last one that is no undo itself. If
// the file is as the act left it, it gets its very bytes back. If others changed
// it since, hooks that were installed are taken out and the rest stays; every
// other act then stays too, and the error is [sesskeep.ErrChanged].
func (s *Shelf) Undo(id int) (Plan, error) {
	j, err := s.readJournal()
	if err != nil {
		return Plan{}, err
	}
	a, err := j.undoable(id)
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
		return p, nil
	case a.Verb != installVerb || holdsOurs(before):
		return p, s.refuse(a, lost)
	}
	p.After, err = withoutOurs(p.Before, before, a.Before == "")
	if err != nil {
		return p, &sesskeep.Error{Op: "undo", Name: a.File, Err: err}
	}
	if p.Empty() {
		return p, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: errors.New("our hooks are not in the file any more")}
	}
	return p, nil
}

func (s *Shelf) refuse(a Act, lost error) error {
	if lost != nil {
		return &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: lost}
	}
	err := fmt.Errorf("%s %w, and nothing was done; what was there before is in %s", a.File, sesskeep.ErrChanged, s.backupPath(a.Backup))
	if a.Backup == "" {
		err = fmt.Errorf("%s %w, and nothing was done; before, there was no such file", a.File, sesskeep.ErrChanged)
	}
	return &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: err}
}

// undoable finds an act that can be taken back.
func (j *journal) undoable(id int) (Act, error) {
	if id == 0 {
		for i := len(j.acts) - 1; i >= 0; i-- {
			if a := j.acts[i]; a.State == Done && a.Undoes == 0 {
				return a, nil
			}
		}
		return Act{}, &sesskeep.Error{Op: "undo", Name: "the last change", Err: sesskeep.ErrNotFound}
	}
	a := j.act(id)
	if a == nil {
		return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: sesskeep.ErrNotFound}
	}
	if a.State == Undone || a.State == Dropped {
		return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: fmt.Errorf("it was %s", a.State)}
	}
	return *a, nil
}
