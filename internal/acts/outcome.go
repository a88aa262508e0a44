package acts

import (
	"cmp"
	"slices"

	"sesskeep"
	"sesskeep/internal/errcode"
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
		all.Add(r, err)
	}
	return all
}

// Succeeded returns the addresses of the sessions that did not fail.
func (o *Outcome) Succeeded() (addresses []string) {
	for i := range o.Results {
		if r := &o.Results[i]; r.err == nil {
			addresses = append(addresses, cmp.Or(r.Address, r.Key.String()))
		}
	}
	return addresses
}

// Add adds the result of one of them, and why it failed.
func (o *Outcome) Add(r Result, err error) {
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
