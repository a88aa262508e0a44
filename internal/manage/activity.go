package manage

import (
	"context"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/shelf"
)

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
	if err := mg.journal.Start(ctx, d, "undo", "changes"); err != nil {
		return out, err
	}
	s := mg.shelf
	changes, errs, err := undoOf(ctx, s, UndoOptions{ID: b.ID, Homes: mg.homes.Roots(), Actor: d.Actor}, b)
	if err != nil {
		return out, err
	}
	batch := d.BatchFor(len(changes))
	for i, c := range changes {
		c.Plan.Batch = batch
		r := acts.Result{ID: c.Plan.Session, Root: c.Plan.Home, Changed: true, Note: strings.TrimSpace(c.Verb + " " + c.Plan.What)}
		if errs[i] == nil && !d.DryRun {
			r.Act, errs[i] = mg.journal.Do(ctx, d, c.Plan)
		}
		out.Add(r, errs[i])
		d.Report(out.Total, len(changes))
	}
	if out.Changed > 0 && !d.DryRun {
		s.Prune()
		mg.journal.Touch()
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
