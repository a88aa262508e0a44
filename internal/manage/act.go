package manage

import (
	"context"

	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/shelf"
)

// each makes an act of every session of a selection. One that fails stops none of
// the others. The error is of the selection as a whole.
func (mg *Manager) each(ctx context.Context, d acts.Doing, verb string, s Selection, plan planner) (acts.Outcome, error) {
	out := acts.Outcome{Verb: verb, Results: []acts.Result{}, DryRun: d.DryRun}
	if err := mg.journal.Start(ctx, d, verb, "sessions"); err != nil {
		return out, err
	}
	items, err := mg.find.selected(ctx, s)
	if err != nil {
		return out, err
	}
	batch := d.BatchFor(len(items))
	for _, i := range items {
		r := i.result()
		if i.err == nil {
			i.err = mg.one(ctx, d, verb, batch, i, &r, plan)
		}
		out.Add(r, i.err)
		d.Report(out.Total, len(items))
	}
	if out.Changed > 0 && !d.DryRun {
		mg.journal.Touch()
	}
	return out, nil
}

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
