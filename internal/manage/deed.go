package manage

import (
	"cmp"
	"context"
	"slices"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/shelf"
)

// Outcome is what became of an act on some sessions.
type Outcome struct {
	Verb    string   `json:"verb"`
	Results []Result `json:"results"`
	Total   int      `json:"total"`
	Changed int      `json:"changed"` // or would be
	Failed  int      `json:"failed"`
	Size    int64    `json:"fileSize,omitempty"` // of what was moved
	DryRun  bool     `json:"dryRun"`
}

// Result is what became of one of them.
type Result struct {
	ID      string       `json:"id,omitempty"`      // as it was asked for where it was not found
	Kind    string       `json:"kind,omitempty"`    // of what is unneeded, which has no id
	Address string       `json:"address,omitempty"` // it was asked for by
	Root    string       `json:"root,omitempty"`
	Key     sesskeep.Key `json:"key,omitzero"`
	Title   string       `json:"title,omitempty"`
	Changed bool         `json:"changed"` // false: it was so already, or it failed
	Act     int          `json:"actId,omitempty"`
	Agents  int          `json:"agentCount,omitempty"` // that went with it
	Files   int          `json:"fileCount,omitempty"`
	Size    int64        `json:"fileSize,omitempty"`
	Note    string       `json:"note,omitempty"` // what else there is to know
	Error   string       `json:"error,omitempty"`
	Code    errcode.Code `json:"code,omitempty"`

	err error
}

// Err is why it failed.
func (r *Result) Err() error { return r.err }

// Err is the first of the failures.
func (o *Outcome) Err() error {
	for i := range o.Results {
		if o.Results[i].err != nil {
			return o.Results[i].err
		}
	}
	return nil
}

// each makes an act of every session of a selection. One that fails stops none of
// the others. The error is of the selection as a whole.
func (mg *Manager) each(ctx context.Context, d acts.Doing, verb string, s Selection, plan planner) (Outcome, error) {
	out := Outcome{Verb: verb, Results: []Result{}, DryRun: d.DryRun}
	if mg.opts.Shelf == nil {
		return out, &sesskeep.Error{Op: verb, Name: "sessions", Err: acts.ErrNoShelf}
	}
	if err := mg.finishLast(ctx, d); err != nil {
		return out, err
	}
	items, err := mg.selected(ctx, s)
	if err != nil {
		return out, err
	}
	batch := d.BatchFor(len(items))
	for _, i := range items {
		r := i.result()
		if i.err == nil {
			i.err = mg.one(ctx, d, verb, batch, i, &r, plan)
		}
		out.add(r, i.err)
		d.Report(out.Total, len(items))
	}
	if out.Changed > 0 && !d.DryRun {
		mg.index.Touch()
	}
	return out, nil
}

// planner works out what is done to one session, and says so in the result. No
// steps mean that there is nothing to do.
type planner func(ctx context.Context, i *item, r *Result) (what string, steps shelf.Steps, err error)

// one makes the act of one session.
func (mg *Manager) one(ctx context.Context, d acts.Doing, verb, batch string, i *item, r *Result, plan planner) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	what, steps, err := plan(ctx, i, r)
	if err != nil || len(steps) == 0 {
		return err
	}
	p := shelf.Plan{Verb: verb, Actor: d.Actor, Home: i.home.Store.Root(), Session: i.key().String(), What: what, Batch: batch, Steps: steps}
	r.Changed = true
	if d.DryRun {
		return mg.opts.Shelf.Check(p)
	}
	act, err := mg.opts.Shelf.Do(ctx, p)
	if err == nil {
		r.Act = act.ID
	}
	return err
}

// And adds what another change did to the sessions of a first one, or to some of them.
// One that failed in either has failed.
func (o Outcome) And(p Outcome) Outcome {
	all := Outcome{Verb: o.Verb, Results: []Result{}, DryRun: o.DryRun}
	for _, r := range o.Results {
		err := r.err
		if at := slices.IndexFunc(p.Results, func(next Result) bool { return next.ID == r.ID && next.Root == r.Root }); at >= 0 {
			next := &p.Results[at]
			r.Changed, r.Act, err = r.Changed || next.Changed, max(r.Act, next.Act), cmp.Or(err, next.err)
			r.Note = cmp.Or(r.Note, next.Note)
		}
		all.add(r, err)
	}
	return all
}

// Done names the sessions again that did not fail.
func (o *Outcome) Done() (s Selection) {
	for i := range o.Results {
		if r := &o.Results[i]; r.err == nil {
			s.Addresses = append(s.Addresses, cmp.Or(r.Address, r.Key.String()))
		}
	}
	return s
}

// result begins what is told of an item.
func (i *item) result() Result {
	if i.home == nil {
		return Result{ID: i.address, Address: i.address}
	}
	r := Result{ID: string(i.id), Address: i.address, Root: i.home.Store.Root(), Key: i.key()}
	if i.row.ID != "" {
		r.Title = catalog.NameOf(&i.row)
	}
	return r
}

func (o *Outcome) add(r Result, err error) {
	o.Total++
	switch {
	case err != nil:
		r.err, r.Error, r.Code, r.Changed = err, err.Error(), errcode.Of(err), false
		o.Failed++
	case r.Changed:
		o.Changed++
		o.Size += r.Size
	}
	o.Results = append(o.Results, r)
}
