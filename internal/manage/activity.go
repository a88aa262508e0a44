package manage

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
func (mg *Manager) finishLast(ctx context.Context, d acts.Doing) error {
	if d.DryRun {
		return nil
	}
	_, err := mg.opts.Shelf.Settle(ctx)
	return err
}

// NoteExport writes down that a session was taken out of the program as a document.
// Without a place for data of our own it is noted nowhere.
func (mg *Manager) NoteExport(ctx context.Context, d acts.Doing, t catalog.Target, what string) error {
	key, _ := t.Store.Key(t.Ref) // an agent whose session nobody knows has none
	return mg.note(ctx, shelf.Plan{Verb: "export", Actor: d.Actor, Home: t.Store.Root(), Session: key.String(), What: what})
}

// NoteAccess writes down that somebody came in, or that a token was made or
// revoked.
func (mg *Manager) NoteAccess(ctx context.Context, d acts.Doing, verb, what string) error {
	return mg.note(ctx, shelf.Plan{Verb: verb, Actor: d.Actor, What: what})
}

func (mg *Manager) note(ctx context.Context, p shelf.Plan) error {
	if mg.opts.Shelf == nil {
		return nil
	}
	_, err := mg.opts.Shelf.Note(ctx, p)
	return err
}

// Activity lists what was changed in the homes.
func (mg *Manager) Activity(f acts.ActFilter) (acts.ActPage, error) {
	if mg.opts.Shelf == nil {
		return acts.ActPage{Acts: []acts.ActRow{}}, nil
	}
	f.Homes = mg.homes.Roots()
	page, _, err := acts.Acts(mg.opts.Shelf, f)
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
func (mg *Manager) TakeBack(ctx context.Context, d acts.Doing, b Back) (acts.Outcome, error) {
	out := acts.Outcome{Verb: "undo", Results: []acts.Result{}, DryRun: d.DryRun}
	s := mg.opts.Shelf
	if s == nil {
		return out, &sesskeep.Error{Op: "undo", Name: "changes", Err: acts.ErrNoShelf}
	}
	if err := mg.finishLast(ctx, d); err != nil {
		return out, err
	}
	changes, errs, err := undoOf(ctx, s, UndoOptions{ID: b.ID, Homes: mg.homes.Roots(), Actor: d.Actor}, b)
	if err != nil {
		return out, err
	}
	batch := d.BatchFor(len(changes))
	for i, c := range changes {
		c.Plan.Batch = batch
		r := acts.Result{ID: c.Plan.Session, Root: c.Plan.Home, Changed: true, Note: strings.TrimSpace(c.Verb + " " + c.Plan.What)}
		if errs[i] == nil && !d.DryRun {
			var act shelf.Act
			act, errs[i] = s.Do(ctx, c.Plan)
			r.Act = act.ID
		}
		out.Add(r, errs[i])
		d.Report(out.Total, len(changes))
	}
	if out.Changed > 0 && !d.DryRun {
		s.Prune()
		mg.index.Touch()
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
