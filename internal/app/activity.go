package app

import (
	"context"
	"strings"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/shelf"
)

// finishLast finishes what a crash interrupted before something else is worked out:
// what is half done looks like something else.
func (a *App) finishLast(ctx context.Context, d acts.Doing) error {
	if d.DryRun {
		return nil
	}
	_, err := a.opts.Shelf.Settle(ctx)
	return err
}

// NoteExport writes down that a session was taken out of the program as a document.
// What an App without a place for data of its own does is noted nowhere.
func (a *App) NoteExport(ctx context.Context, d acts.Doing, t catalog.Target, what string) error {
	key, _ := t.Store.Key(t.Ref) // an agent whose session nobody knows has none
	return a.note(ctx, shelf.Plan{Verb: "export", Actor: d.Actor, Home: t.Store.Root(), Session: key.String(), What: what})
}

// NoteAccess writes down that somebody came in, or that a token was made or
// revoked.
func (a *App) NoteAccess(ctx context.Context, d acts.Doing, verb, what string) error {
	return a.note(ctx, shelf.Plan{Verb: verb, Actor: d.Actor, What: what})
}

func (a *App) note(ctx context.Context, p shelf.Plan) error {
	if a.opts.Shelf == nil {
		return nil
	}
	_, err := a.opts.Shelf.Note(ctx, p)
	return err
}

// Activity lists what was changed in the homes of the App.
func (a *App) Activity(f acts.ActFilter) (acts.ActPage, error) {
	if a.opts.Shelf == nil {
		return acts.ActPage{Acts: []acts.ActRow{}}, nil
	}
	f.Homes = a.Homes.Roots()
	page, _, err := acts.Acts(a.opts.Shelf, f)
	return page, err
}

// Back says what is taken back.
type Back struct {
	ID       int  // of an act; 0: the last one
	Together bool // and all that was done by its command; always so for the last one
}

// TakeBack undoes an act, or all that one command did. What
// cannot be taken back stops none of the others. An act that is not there is
// [errcode.NotFound].
func (a *App) TakeBack(ctx context.Context, d acts.Doing, b Back) (Outcome, error) {
	out := Outcome{Verb: "undo", Results: []Result{}, DryRun: d.DryRun}
	s := a.opts.Shelf
	if s == nil {
		return out, &sesskeep.Error{Op: "undo", Name: "changes", Err: acts.ErrNoShelf}
	}
	if err := a.finishLast(ctx, d); err != nil {
		return out, err
	}
	changes, errs, err := undoOf(ctx, s, UndoOptions{ID: b.ID, Homes: a.Homes.Roots(), Actor: d.Actor}, b)
	if err != nil {
		return out, err
	}
	batch := d.BatchFor(len(changes))
	for i, c := range changes {
		c.Plan.Batch = batch
		r := Result{ID: c.Plan.Session, Root: c.Plan.Home, Changed: true, Note: strings.TrimSpace(c.Verb + " " + c.Plan.What)}
		if errs[i] == nil && !d.DryRun {
			var act shelf.Act
			act, errs[i] = s.Do(ctx, c.Plan)
			r.Act = act.ID
		}
		out.add(r, errs[i])
		d.Report(out.Total, len(changes))
	}
	if out.Changed > 0 && !d.DryRun {
		s.Prune()
		a.Index.Touch()
	}
	return out, nil
}

// undoOf plans to take back one act, or all of a command.
func undoOf(ctx context.Context, s *shelf.Shelf, o UndoOptions, b Back) ([]acts.Change, []error, error) {
	if b.Together || b.ID == 0 {
		return UndoTogether(ctx, s, o)
	}
	c, err := Undo(ctx, s, o)
	return []acts.Change{c}, []error{nil}, err
}
