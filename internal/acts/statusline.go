package acts

import (
	"context"
	"strconv"

	"sesskeep"
	"sesskeep/internal/settings"
	"sesskeep/internal/shelf"
)

// The verbs of the acts that put our status line around the user's own, and take it away.
const (
	WrapVerb   = "usage statusline install"
	UnwrapVerb = "usage statusline uninstall"
)

// WrapStatusLine plans to put our status line around the one in the settings of a home.
// Program is how the client names this program.
func WrapStatusLine(ctx context.Context, s *shelf.Shelf, by shelf.Actor, root, program string) (Change, error) {
	c, f, err := statusSettings(ctx, s, by, WrapVerb, root)
	if err != nil {
		return c, err
	}
	after, err := settings.WrapStatusLine(f.Data, program)
	if err != nil {
		return c, &sesskeep.Error{Op: c.Plan.Verb, Name: c.File, Err: err}
	}
	return c.Become(s, f, after)
}

// UnwrapStatusLine plans to take it away. A file that is as the installation left it gets
// its very bytes back.
func UnwrapStatusLine(ctx context.Context, s *shelf.Shelf, by shelf.Actor, root string) (Change, error) {
	c, f, err := statusSettings(ctx, s, by, UnwrapVerb, root)
	if err != nil {
		return c, err
	}
	if before, ok, err := beforeWrapping(s, f); err != nil || ok {
		if err != nil {
			return c, err
		}
		return c.Become(s, f, before)
	}
	after, err := settings.UnwrapStatusLine(f.Data)
	if err != nil {
		return c, &sesskeep.Error{Op: c.Plan.Verb, Name: c.File, Err: err}
	}
	return c.Become(s, f, after)
}

// UndoStatusLine takes our status line out of settings that others changed since. Refused
// says why nothing is done where it is not in them any more.
func UndoStatusLine(s *shelf.Shelf, a shelf.Act, by shelf.Actor, refused error) (Change, error) {
	c := Change{
		Plan: shelf.Plan{Verb: "undo", Actor: by, Home: a.Home, Session: a.Session, Undoes: a.ID},
		Verb: a.Verb, File: a.Files()[0], Partly: true,
	}
	f, err := s.ReadNow(a.Home, c.File)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: c.File, Err: err}
	}
	c.Before = f.Data
	before, err := s.Kept(a, 0)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: err}
	}
	if settings.HasStatusLine(before) || !settings.HasStatusLine(f.Data) {
		return c, refused
	}
	after, err := settings.UnwrapStatusLine(f.Data)
	if err != nil {
		return c, &sesskeep.Error{Op: "undo", Name: c.File, Err: err}
	}
	return c.Become(s, f, after)
}

// statusSettings begins a change of a home's settings.
func statusSettings(ctx context.Context, s *shelf.Shelf, by shelf.Actor, verb, root string) (Change, shelf.File, error) {
	c := Change{Plan: shelf.Plan{Verb: verb, Actor: by, Home: root}, File: settingsFile(root)}
	f, err := ReadSettings(ctx, s, root, c.File)
	if err != nil {
		err = &sesskeep.Error{Op: verb, Name: c.File, Err: err}
	}
	c.Before = f.Data
	return c, f, err
}

// beforeWrapping finds what a file was before it was wrapped, if it is as that left it;
// nil is no file.
func beforeWrapping(s *shelf.Shelf, f shelf.File) (text []byte, ok bool, err error) {
	now := shelf.ContentOf(f.Data)
	for a, err := range s.Journal.Acts() {
		if err != nil {
			return nil, false, err
		}
		if a.Verb != WrapVerb || a.State != shelf.Done || len(a.Steps) != 1 {
			continue
		}
		switch step := a.Steps[0].(type) {
		case shelf.Create:
			if step.Path == f.Path && step.After == now {
				return nil, true, nil
			}
		case shelf.Replace:
			if step.Path != f.Path || step.After != now {
				continue
			}
			// A later one only changed the path of the program.
			if text, err := s.Kept(a, 0); err == nil && !settings.HasStatusLine(text) {
				return text, true, nil
			}
		}
	}
	return nil, false, nil
}
