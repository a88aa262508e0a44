package relocate

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/errcode"
	"sesskeep/internal/regular"
	"sesskeep/internal/shelf"
)

// PlanUndo plans to undo the move of a project although the client has written since:
// what it added to history.jsonl stays, and in .claude.json only our own keys go
// back.
func PlanUndo(s *shelf.Shelf, a shelf.Act, by shelf.Actor) (acts.Change, error) {
	from, to, _ := strings.Cut(a.What, " -> ")
	c := acts.Change{
		Plan: shelf.Plan{Verb: "undo", Actor: by, Home: a.Home, What: a.What, Undoes: a.ID},
		Verb: a.Verb, File: a.Subject(), Partly: true,
	}
	var failed error
	for n, step := range a.Steps {
		back, err := s.UndoStep(a, n)
		if replace, ok := step.(shelf.Replace); ok && errors.Is(err, errcode.ErrChanged) {
			back, err = undoRepoint(s, a, n, replace, repoint{from, to}.back())
		}
		if back != nil {
			c.Plan.Steps = append(c.Plan.Steps, back)
		}
		failed = errors.Join(failed, err)
	}
	if failed != nil {
		return acts.Change{}, &sesskeep.Error{Op: "undo", Name: strconv.Itoa(a.ID), Err: failed}
	}
	return c, s.Check(c.Plan)
}

// undoRepoint takes back the change of one file that was written since.
func undoRepoint(s *shelf.Shelf, a shelf.Act, n int, r shelf.Replace, back repoint) (shelf.Step, error) {
	now, err := shelf.ContentAt(r.Path)
	if err != nil {
		return nil, err
	}
	grown, err := beginsWith(r.Path, r.After)
	if err != nil {
		return nil, err
	}
	if grown {
		from := joinSources(shelf.FileSource(s.KeptFile(a, n)), restOf(r.Path, r.After.Size))
		return shelf.Replace{File: r.File, Before: now, From: from}, nil
	}
	f, err := s.ReadNow(a.Home, r.File)
	if err != nil {
		return nil, err
	}
	after, changed, _, err := back.state(f.Data)
	if err != nil || changed == 0 {
		return nil, err
	}
	return shelf.Replace{File: r.File, Before: shelf.ContentOf(f.Data), From: shelf.Bytes(after)}, nil
}

// beginsWith reports whether a file begins with a content.
func beginsWith(file string, c shelf.Content) (bool, error) {
	f, err := regular.Open(file)
	if err != nil {
		return false, err
	}
	got, err := shelf.Digest(io.LimitReader(f, c.Size))
	return got == c, errors.Join(err, f.Close())
}

// restOf is the source of what a file has behind an offset.
func restOf(file string, offset int64) shelf.Source {
	return func() (io.ReadCloser, error) {
		f, err := regular.Open(file)
		if err != nil {
			return nil, err
		}
		if _, err := f.Seek(offset, io.SeekStart); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	}
}

// joinSources is one source after the other.
func joinSources(a, b shelf.Source) shelf.Source {
	return func() (io.ReadCloser, error) {
		first, err := a()
		if err != nil {
			return nil, err
		}
		second, err := b()
		if err != nil {
			return nil, errors.Join(err, first.Close())
		}
		return &joined{io.MultiReader(first, second), first, second}, nil
	}
}

type joined struct {
	io.Reader
	first, second io.Closer
}

// Close closes both.
func (j *joined) Close() error { return errors.Join(j.first.Close(), j.second.Close()) }
