package keeping

import (
	"context"

	"sesskeep"
	"sesskeep/internal/acts"
)

// SetRetention changes for how many days the client keeps the sessions of a home,
// or of all homes if root is empty. A failure in one home does not stop the others.
func (k *Copies) SetRetention(ctx context.Context, d acts.Doing, root string, days int) (acts.Outcome, error) {
	out := acts.Outcome{Verb: "keep retention set", Results: []acts.Result{}, DryRun: d.DryRun}
	if k.opts.Journal.Shelf == nil {
		return out, &sesskeep.Error{Op: out.Verb, Name: "settings", Err: acts.ErrNoShelf}
	}
	for _, h := range k.homes.List {
		if root != "" && h.Store.Root() != root {
			continue
		}
		r := acts.Result{Kind: "settings", Root: h.Store.Root()}
		change, err := acts.PlanRetention(ctx, k.opts.Journal.Shelf, d.Actor, h.Store.Root(), days)
		if err == nil {
			r.Title, r.Changed = change.File, !change.Plan.Empty()
			r.Act, err = k.opts.Journal.CarryOut(ctx, d, change.Plan)
		}
		out.Add(r, err)
	}
	if out.Total == 0 {
		return out, k.catalog.NoHome(root)
	}
	return out, nil
}
