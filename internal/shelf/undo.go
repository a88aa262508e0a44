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

// Find returns an act of some homes that can be taken back; 0 is the last one
// there that is no undo itself. The error is [sesskeep.ErrNotFound] if there is
// none, and that of an act of another home is an *ElsewhereError.
func (s *Shelf) Find(ctx context.Context, id int, homes []string) (Act, error) {
	for a, err := range s.Acts() {
		switch {
		case err != nil:
			return Act{}, err
		case ctx.Err() != nil:
			return Act{}, ctx.Err()
		case id == 0 && a.State == Done && a.Undoes == 0 && a.In(homes):
			return a, nil
		case id == 0 || a.ID > id:
			continue
		case a.ID < id:
			return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: sesskeep.ErrNotFound}
		case a.State == Noted:
			return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: fmt.Errorf("%w: it changed nothing", sesskeep.ErrNotFound)}
		case !a.In(homes):
			return Act{}, &ElsewhereError{id, a.Home}
		case a.State == Undone || a.State == Dropped:
			return Act{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(id), Err: fmt.Errorf("it was %s", a.State)}
		}
		return a, nil
	}
	name := "the last change"
	if id > 0 {
		name = strconv.Itoa(id)
	}
	return Act{}, &sesskeep.Error{Op: "undo", Name: name, Err: sesskeep.ErrNotFound}
}

// Together lists the acts that can be taken back of those that one command made,
// the newest first: a itself, and the others of its batch.
func (s *Shelf) Together(a Act) ([]Act, error) {
	if a.Batch == "" {
		return []Act{a}, nil
	}
	var list []Act
	for other, err := range s.Acts() {
		if err != nil {
			return nil, err
		}
		if other.Batch == a.Batch && other.State == Done {
			list = append(list, other)
		} else if other.Batch != a.Batch && len(list) > 0 && other.ID < a.ID-maxBatch {
			break
		}
	}
	return list, nil
}

// maxBatch is how far apart the acts of one batch can be: others may act meanwhile.
const maxBatch = 1 << 16

// Undo plans to take an act back. Every step is asked: if others changed since
// what one of them made, nothing is planned and the error is
// [ErrChanged].
func (s *Shelf) Undo(ctx context.Context, a Act, by Actor) (Plan, error) {
	p := Plan{Verb: "undo", Actor: by, Home: a.Home, Session: a.Session, What: a.What, Undoes: a.ID}
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

// UndoStep returns the step that takes back one step of an act.
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
