package acts

import (
	"cmp"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
)

// Outcome is the result of a change of some sessions.
type Outcome struct {
	Verb    string   `json:"verb"`               // what was done: trash, archive, label, …
	Results []Result `json:"results"`            // one result for each session that was named
	Total   int      `json:"total"`              // number of results
	Changed int      `json:"changed"`            // number of sessions that changed, or would change in a dry run
	Failed  int      `json:"failed"`             // number of sessions that could not be changed
	Size    int64    `json:"fileSize,omitempty"` // bytes of the files that were moved
	DryRun  bool     `json:"dryRun"`             // true if nothing was changed
	// Coverage is how much of what there is the sessions were chosen from: more may match where it
	// is not complete. nil: they were named.
	Coverage *ask.Coverage `json:"coverage,omitempty"`
}

// Result is the result for one session.
type Result struct {
	ID      string       `json:"id,omitempty"`         // session id; the text of the request if no session matched it
	Kind    string       `json:"kind,omitempty"`       // kind of unneeded files, which have no session id
	Address string       `json:"address,omitempty"`    // address by which the request named the session
	Root    string       `json:"root,omitempty"`       // directory of the session's home
	Key     sesskeep.Key `json:"key,omitzero"`         // key of the session among all homes and machines
	Title   string       `json:"title,omitempty"`      // title of the session
	Changed bool         `json:"changed"`              // false if nothing had to change, or on failure
	Act     int          `json:"actId,omitempty"`      // number of the act, for undo
	Agents  int          `json:"agentCount,omitempty"` // number of agents that moved with the session
	Files   int          `json:"fileCount,omitempty"`  // number of files that were moved
	Size    int64        `json:"fileSize,omitempty"`   // bytes of the files that were moved
	Note    string       `json:"note,omitempty"`       // remark for people
	Error   string       `json:"error,omitempty"`      // why it failed
	Code    errcode.Code `json:"code,omitempty"`       // error code, for programs

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
	all := Outcome{Verb: o.Verb, Results: []Result{}, DryRun: o.DryRun, Coverage: o.Coverage}
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

// Part reports whether more sessions may match than those that were found.
func (o *Outcome) Part() bool { return o.Coverage != nil && !o.Coverage.Complete }

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
