package manage

import (
	"context"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/shelf"
)

// each makes an act of every session of a selection.
func (mg *Manager) each(ctx context.Context, d acts.Doing, verb string, s Selection, plan planner) (acts.Outcome, error) {
	return mg.every(ctx, d, verb, s, func(ctx context.Context, batch string, i *item, r *acts.Result) error {
		return mg.one(ctx, d, verb, batch, i, r, plan)
	})
}

// every does something with every session of a selection. One that fails stops none of
// the others. The error is of the selection as a whole.
func (mg *Manager) every(ctx context.Context, d acts.Doing, verb string, s Selection, do visitor) (acts.Outcome, error) {
	if err := mg.journal.Start(ctx, d, verb, "sessions"); err != nil {
		return acts.Outcome{Verb: verb, Results: []acts.Result{}, DryRun: d.DryRun}, err
	}
	out, err := mg.visit(ctx, d, verb, s, do)
	if out.Changed > 0 && !d.DryRun {
		mg.journal.Touch()
	}
	return out, err
}

// Visit does something with every session of a selection that changes none of them.
func (mg *Manager) Visit(ctx context.Context, d acts.Doing, verb string, s Selection, do func(context.Context, catalog.Target, *acts.Result) error) (acts.Outcome, error) {
	return mg.visit(ctx, d, verb, s, func(ctx context.Context, _ string, i *item, r *acts.Result) error {
		return do(ctx, catalog.Target{Store: i.home.Store, Ref: sesskeep.Ref{Session: i.id}}, r)
	})
}

// visit is every without a journal.
func (mg *Manager) visit(ctx context.Context, d acts.Doing, verb string, s Selection, do visitor) (acts.Outcome, error) {
	out := acts.Outcome{Verb: verb, Results: []acts.Result{}, DryRun: d.DryRun}
	items, covered, err := mg.find.selected(ctx, s)
	if err != nil {
		return out, err
	}
	out.Coverage = covered
	batch := d.BatchFor(len(items))
	for _, i := range items {
		r := i.result()
		if i.err == nil {
			i.err = do(ctx, batch, i, &r)
		}
		out.Add(r, i.err)
		d.Report(out.Total, len(items))
	}
	return out, nil
}

// visitor does something with one session of a batch, and says so in the result.
type visitor func(ctx context.Context, batch string, i *item, r *acts.Result) error

// planner works out what is done to one session, and says so in the result. No
// steps mean that there is nothing to do.
type planner func(ctx context.Context, i *item, r *acts.Result) (what string, steps shelf.Steps, err error)

// one makes the act of one session.
func (mg *Manager) one(ctx context.Context, d acts.Doing, verb, batch string, i *item, r *acts.Result, plan planner) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	what, steps, err := plan(ctx, i, r)
	if err != nil || len(steps) == 0 {
		return err
	}
	p := shelf.Plan{Verb: verb, Actor: d.Actor, Home: i.home.Store.Root(), Session: i.key().String(), What: what, Batch: batch, Steps: steps}
	r.Changed = true
	act, err := mg.journal.Do(ctx, d, p)
	if err == nil {
		r.Act = act
	}
	return err
}

// result starts the result of an item.
func (i *item) result() acts.Result {
	if i.home == nil {
		return acts.Result{ID: i.address, Address: i.address}
	}
	r := acts.Result{ID: string(i.id), Address: i.address, Root: i.home.Store.Root(), Key: i.key()}
	if i.row.ID != "" {
		r.Title = catalog.NameOf(&i.row)
	}
	return r
}
