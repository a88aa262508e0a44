package shelf

import (
	"context"
	"errors"
	"fmt"
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

// Undo plans to undo an act. It checks every step: if others changed since what one of
// them made, nothing is planned and the error is [ErrChanged].
func (s *Shelf) Undo(ctx context.Context, a Act, by Actor) (Plan, error) {
	p := Plan{Verb: "undo", Actor: by, Home: a.Home, Session: a.Session, What: a.What, Undoes: a.ID, Named: a.Named}
	var refused error
	for n, step := range a.Steps {
		if ctx.Err() != nil {
			return Plan{}, ctx.Err()
		}
		back, err := step.inverse(s.task(a, n))
		if err != nil {
			refused = errors.Join(refused, err)
			continue
		}
		p.Steps = append(p.Steps, back)
	}
	if refused != nil {
		return Plan{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: refused}
	}
	return p, s.Check(p)
}

// UndoStep returns the step that undoes one step of an act.
func (s *Shelf) UndoStep(a Act, n int) (Step, error) { return a.Steps[n].inverse(s.task(a, n)) }

// KeptFile is the file that keeps what a step of an act replaced.
func (s *Shelf) KeptFile(a Act, n int) string { return s.task(a, n).kept(a.Steps[n].file()) }

// Backup returns the file that keeps what the first step of an act replaced;
// empty if there was no file.
func (s *Shelf) Backup(a Act) string {
	if len(a.Steps) == 0 {
		return ""
	}
	switch step := a.Steps[0].(type) {
	case Replace:
		return s.task(a, 0).kept(step.File)
	case Move:
		return step.To
	}
	return ""
}
