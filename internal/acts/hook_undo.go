package acts

import (
	"errors"
	"strconv"

	"sesskeep"
	"sesskeep/internal/settings"
	"sesskeep/internal/shelf"
)

// UndoHooks takes our hooks out of settings that others changed since. Where
// they were there before the act too, refused says why nothing is done.
func UndoHooks(s *shelf.Shelf, a shelf.Act, kind HookKind, by shelf.Actor, refused error) (Change, error) {
	c := Change{
		Plan: shelf.Plan{Verb: "undo", Actor: by, Home: a.Home, Session: a.Session, Undoes: a.ID},
		Verb: a.Verb, File: a.Files()[0], Partly: true,
	}
	f, err := s.ReadNow(a.Home, c.File)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: c.File, Err: err}
	}
	c.Before = f.Data
	_, made := a.Steps[0].(shelf.Create)
	before, err := s.Kept(a, 0)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: err}
	}
	if kind.Hooks().In(before) {
		return c, refused
	}
	if !kind.Hooks().In(f.Data) {
		return c, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: errors.New("our hooks are not in the file any more")}
	}
	after, err := kind.Hooks().Remove(f.Data, settings.Origin{Text: before, Made: made})
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: c.File, Err: err}
	}
	return c.Become(s, f, after)
}
