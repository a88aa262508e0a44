package app

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"sesskeep"
	"sesskeep/internal/settings"
	"sesskeep/internal/shelf"
)

// What writes below Claude's home is known to fronts by these names.
type (
	Shelf    = shelf.Shelf
	Act      = shelf.Act
	Plan     = shelf.Plan
	Actor    = shelf.Actor
	ActState = shelf.State
	// ElsewhereError says that a change was made in a home that was not meant.
	ElsewhereError = shelf.ElsewhereError
)

// What becomes of an act that a crash interrupted.
const (
	ActDone    = shelf.Done
	ActDropped = shelf.Dropped
)

// NewShelf returns the shelf with its data in dir.
func NewShelf(dir string, now func() time.Time) *Shelf { return shelf.New(dir, now) }

// Change is a planned change, with the text of its first file if that is small.
type Change struct {
	Plan   Plan
	File   string // the first one
	Before []byte // nil: there is no file, or it is not small
	After  []byte // nil: the file goes, or it is not small
	Partly bool   // of an undo: others changed the file since, and that stays
}

// Removes reports whether the file goes, and all others with it.
func (c Change) Removes() bool {
	return c.Before != nil && c.After == nil || len(c.Plan.Steps) > 0 && !slices.ContainsFunc(c.Plan.Steps, stays)
}

// stays reports whether there is a file where a step was made.
func stays(step shelf.Step) bool {
	m, ok := step.(shelf.Move)
	return !ok || m.To != ""
}

// UndoOptions say what is undone.
type UndoOptions struct {
	ID    int      // 0: the last change that is no undo
	Homes []string // those that may be touched
	Actor Actor
}

// Undo plans to take an act back. If the files are as the act left them, they get
// their very bytes back. If others changed them since, hooks that were installed
// are taken out and the rest stays; every other act then stays too, and the error
// is [CodeChanged]. An act that is not there is [CodeNotFound].
func Undo(s *Shelf, o UndoOptions) (Change, error) {
	a, err := s.Find(o.ID, o.Homes)
	if err != nil {
		return Change{}, err
	}
	plan, err := s.Undo(a, o.Actor)
	if errors.Is(err, ErrChanged) && a.Verb == installVerb && len(a.Steps) == 1 {
		return undoHooks(s, a, o.Actor, err)
	}
	if err != nil {
		return Change{}, err
	}
	c := Change{Plan: plan, File: a.Files()[0]}
	c.Before, c.After = texts(s, plan)
	return c, nil
}

// undoHooks takes our hooks out of settings that others changed since. Where
// they were there before the act too, refused says why nothing is done.
func undoHooks(s *Shelf, a Act, by Actor, refused error) (Change, error) {
	c := Change{
		Plan: Plan{Verb: "undo", Actor: by, Home: a.Home, Session: a.Session, Undoes: a.ID},
		File: a.Files()[0], Partly: true,
	}
	f, err := s.Look(a.Home, c.File)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: c.File, Err: err}
	}
	c.Before = f.Data
	_, made := a.Steps[0].(shelf.Place)
	before, err := s.Kept(a, 0)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: err}
	}
	if settings.HasHooks(before) {
		return c, refused
	}
	if !settings.HasHooks(f.Data) {
		return c, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: errors.New("our hooks are not in the file any more")}
	}
	after, err := settings.RemoveHooks(f.Data, settings.Origin{Text: before, Made: made})
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: c.File, Err: err}
	}
	return c.become(s, f, after)
}

// maxShown bounds the texts that are shown as a difference.
const maxShown = 4 << 20

// texts reads what a plan of one step finds and leaves. Both are nil where that
// is not small, or no text is changed.
func texts(s *Shelf, p Plan) (before, after []byte) {
	if len(p.Steps) != 1 {
		return nil, nil
	}
	var name string
	var from shelf.Source
	switch step := p.Steps[0].(type) {
	case shelf.Replace:
		name, from = step.File, step.From
	case shelf.Place:
		from = step.From
	case shelf.Move:
		if step.To != "" {
			from = shelf.FileSource(step.From)
		} else if name = step.From; step.Link != "" {
			name = step.Link
		}
	default:
		return nil, nil
	}
	if name != "" {
		if f, err := s.Look(p.Home, name); err == nil {
			before = f.Data
		}
	}
	if from != nil {
		if r, err := from(); err == nil {
			defer r.Close()
			after, _ = io.ReadAll(io.LimitReader(r, maxShown))
		}
	}
	return before, after
}
