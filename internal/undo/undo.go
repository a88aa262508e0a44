// Package undo takes back what was changed: one act, or all that one command did.
package undo

import (
	"context"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/shelf"
)

// Undoer undoes acts of a journal.
type Undoer struct{ Journal *acts.Journal }

// Request says what is undone.
type Request struct {
	ID       int  // of an act; 0: the last one
	Together bool // and all that was done by its command; always so for the last one
}

// Do undoes an act, or all that one command did. What cannot be undone stops none of
// the others. An act that is not there is [errcode.NotFound].
func (u *Undoer) Do(ctx context.Context, d acts.Doing, r Request) (acts.Outcome, error) {
	out := acts.Outcome{Verb: "undo", Results: []acts.Result{}, DryRun: d.DryRun}
	if err := u.Journal.Start(ctx, d, "undo", "changes"); err != nil {
		return out, err
	}
	s := u.Journal.Shelf
	changes, errs, err := plans(ctx, s, Options{ID: r.ID, Homes: u.Journal.Homes, Actor: d.Actor}, r)
	if err != nil {
		return out, err
	}
	batch := d.BatchFor(len(changes))
	for i, c := range changes {
		c.Plan.Batch = batch
		result := acts.Result{ID: c.Plan.Session, Root: c.Plan.Home, Changed: true, Note: strings.TrimSpace(c.Verb + " " + c.Plan.What)}
		if errs[i] == nil && !d.DryRun {
			result.Act, errs[i] = u.Journal.Do(ctx, d, c.Plan)
		}
		out.Add(result, errs[i])
		d.Report(out.Total, len(changes))
	}
	if out.Changed > 0 && !d.DryRun {
		s.Prune()
		u.Journal.Touch()
	}
	return out, nil
}

// plans plans to undo one act, or all of a command.
func plans(ctx context.Context, s *shelf.Shelf, o Options, r Request) ([]acts.Change, []error, error) {
	if r.Together || r.ID == 0 {
		return PlanTogether(ctx, s, o)
	}
	c, err := Plan(ctx, s, o)
	return []acts.Change{c}, []error{nil}, err
}
