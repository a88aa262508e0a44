package manage

import (
	"context"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/shelf"
)

// CarryOut makes a planned change, or asks whether it could be made. It returns the
// number of the act, 0 if there was nothing to do.
func (mg *Manager) CarryOut(ctx context.Context, d acts.Doing, p shelf.Plan) (int, error) {
	switch {
	case mg.opts.Shelf == nil:
		return 0, &sesskeep.Error{Op: p.Verb, Name: p.Home, Err: acts.ErrNoShelf}
	case p.Empty():
		return 0, nil
	case d.DryRun:
		return 0, mg.opts.Shelf.Check(p)
	}
	act, err := mg.opts.Shelf.Do(ctx, p)
	if err != nil {
		return 0, err
	}
	mg.index.Touch()
	return act.ID, nil
}

// SetRetention changes for how many days the client keeps the sessions of a home,
// or of all homes if root is empty. What fails in one home stops none of the
// others.
func (mg *Manager) SetRetention(ctx context.Context, d acts.Doing, root string, days int) (acts.Outcome, error) {
	out := acts.Outcome{Verb: "keep retention set", Results: []acts.Result{}, DryRun: d.DryRun}
	if mg.opts.Shelf == nil {
		return out, &sesskeep.Error{Op: out.Verb, Name: "settings", Err: acts.ErrNoShelf}
	}
	for _, h := range mg.homes.List {
		if root != "" && h.Store.Root() != root {
			continue
		}
		r := acts.Result{Kind: "settings", Root: h.Store.Root()}
		change, err := acts.PlanRetention(ctx, mg.opts.Shelf, d.Actor, h.Store.Root(), days)
		if err == nil {
			r.Title, r.Changed = change.File, !change.Plan.Empty()
			r.Act, err = mg.CarryOut(ctx, d, change.Plan)
		}
		out.Add(r, err)
	}
	if out.Total == 0 {
		return out, mg.catalog.NoHome(root)
	}
	return out, nil
}
