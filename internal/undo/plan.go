package undo

import (
	"context"
	"errors"
	"io"

	"sesskeep/internal/acts"
	"sesskeep/internal/errcode"
	"sesskeep/internal/relocate"
	"sesskeep/internal/shelf"
	"sesskeep/internal/trash"
)

// Options say what is undone.
type Options struct {
	ID    int      // 0: the last change that is no undo
	Homes []string // those that may be touched
	Actor shelf.Actor
}

// Plan plans to undo an act. If the files are as the act left them, they get
// their very bytes back. If others changed them since, hooks that were installed
// are taken out and the rest stays; every other act then stays too, and the error
// is [errcode.Changed]. An act that is not there is [errcode.NotFound].
func Plan(ctx context.Context, s *shelf.Shelf, o Options) (acts.Change, error) {
	a, err := s.Journal.Find(ctx, o.ID, o.Homes)
	if err != nil {
		return acts.Change{}, err
	}
	return planAct(ctx, s, a, o)
}

// PlanTogether plans to undo what one command did, which may be several acts;
// it is that of the last change, or of the one with a number. What cannot be undone
// has an error in its place, and stops none of the others. Errors are those of Plan.
func PlanTogether(ctx context.Context, s *shelf.Shelf, o Options) ([]acts.Change, []error, error) {
	a, err := s.Journal.Find(ctx, o.ID, o.Homes)
	if err != nil {
		return nil, nil, err
	}
	list, err := s.Journal.BatchOf(a)
	if err != nil {
		return nil, nil, err
	}
	changes, errs := make([]acts.Change, len(list)), make([]error, len(list))
	for i, act := range list {
		changes[i], errs[i] = planAct(ctx, s, act, o)
		changes[i].Plan.Undoes, changes[i].Plan.Session = act.ID, act.Session
	}
	return changes, errs, nil
}

func planAct(ctx context.Context, s *shelf.Shelf, a shelf.Act, o Options) (acts.Change, error) {
	if a.Verb == "trash" || a.Verb == "clean" {
		return trash.PlanUndo(ctx, s, a, o.Actor)
	}
	plan, err := s.Undo(ctx, a, o.Actor)
	if kind, ok := acts.KindOf(a.Verb); ok && errors.Is(err, errcode.ErrChanged) && len(a.Steps) == 1 {
		return acts.UndoHooks(s, a, kind, o.Actor, err)
	}
	if a.Verb == acts.WrapVerb && errors.Is(err, errcode.ErrChanged) && len(a.Steps) == 1 {
		return acts.UndoStatusLine(s, a, o.Actor, err)
	}
	if a.Verb == acts.ServerVerb && errors.Is(err, errcode.ErrChanged) && len(a.Steps) == 1 {
		return acts.UndoServer(s, a, o.Actor, err)
	}
	if errors.Is(err, errcode.ErrChanged) && a.Verb == relocate.Verb {
		return relocate.PlanUndo(s, a, o.Actor)
	}
	if err != nil {
		return acts.Change{}, err
	}
	c := acts.Change{Plan: plan, Verb: a.Verb, File: a.Subject()}
	if files := a.Files(); len(files) > 0 {
		c.File = files[0]
	}
	c.Before, c.After = texts(s, plan)
	return c, nil
}

// maxShown bounds the texts that are shown as a difference.
const maxShown = 4 << 20

// texts reads what a plan of one step finds and leaves. Both are nil where that
// is not small, or no text is changed.
func texts(s *shelf.Shelf, p shelf.Plan) (before, after []byte) {
	if len(p.Steps) != 1 {
		return nil, nil
	}
	var name string
	var from shelf.Source
	switch step := p.Steps[0].(type) {
	case shelf.Replace:
		name, from = step.File, step.From
	case shelf.Create:
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
		if f, err := s.ReadNow(p.Home, name); err == nil {
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
