package health

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/check"
	"sesskeep/internal/errcode"
	"sesskeep/internal/live"
	"sesskeep/internal/shelf"
)

// repairVerb is the verb of a repair in the journal.
const repairVerb = "repair"

// RepairPlan says how to repair the transcripts of a session.
type RepairPlan struct {
	Root    string          `json:"root"`      // directory of the home
	Session string          `json:"sessionId"` // id of the session
	Before  check.Verdict   `json:"verdict"`   // verdict before the repair
	Files   []*check.Repair `json:"files"`     // transcripts to repair
	Left    []check.Finding `json:"left"`      // findings that no repair can mend

	Plan shelf.Plan `json:"-"`
}

// errRuns means that a client has the session open.
var errRuns = errcode.New(errcode.Conflict, errors.New("a client is running it; end that first"))

// Repair plans to repair a session. It replaces whole transcripts, and keeps the old
// ones. If a client has the session open, the error is [errcode.Conflict], and
// [errcode.NotFound] if the session does not exist.
func (ck *Checker) Repair(ctx context.Context, t catalog.Target, by shelf.Actor) (RepairPlan, error) {
	one, err := ck.oneToCheck(t)
	if err != nil {
		return RepairPlan{}, err
	}
	id := one.family.Key.Session
	p := RepairPlan{Root: t.Store.Root(), Session: string(id), Files: []*check.Repair{}, Left: []check.Finding{}}
	runs, err := ck.clientRuns(t.Store, id)
	if err != nil {
		return p, err
	}
	if one.live || runs {
		return p, &sesskeep.Error{Op: repairVerb, Name: string(id), Err: errRuns}
	}
	run, held, err := ck.opts.Living.Of(ctx, t.Store.Root(), id)
	if err != nil {
		return p, err
	}
	if held {
		return p, &sesskeep.Error{Op: repairVerb, Name: string(id), Err: fmt.Errorf("%w (run %s)", errRuns, run.ID)}
	}
	report, err := ck.checkSession(ctx, one)
	if err != nil {
		return p, err
	}
	p.Before = report.Verdict
	for _, f := range report.Findings {
		if !f.Code.Mendable() {
			p.Left = append(p.Left, f)
		}
	}
	// Hash the files first and plan the changes afterwards, so that later writes of
	// others are noticed.
	before, err := contents(t.Store, one.family)
	if err != nil {
		return p, err
	}
	repairs, err := check.PlanRepair(ctx, t.Store, one.family)
	if err != nil {
		return p, err
	}
	p.Plan = shelf.Plan{Verb: repairVerb, Actor: by, Home: t.Store.Root(), Session: one.family.Key.String()}
	for _, r := range repairs {
		p.Files = append(p.Files, r)
		p.Plan.Steps = append(p.Plan.Steps, shelf.Replace{File: t.Store.Path(r.File), Before: before[r.File], From: r.Open})
	}
	return p, nil
}

// clientRuns reports whether a client has a session open, even if it is not registered.
func (ck *Checker) clientRuns(s *sesskeep.Store, id sesskeep.SessionID) (bool, error) {
	states, err := live.Now(live.Options{Stores: []*sesskeep.Store{s}, Alive: ck.opts.Live.Alive, Processes: ck.opts.Live.Processes, Reports: ck.opts.Live.Reports})
	return slices.ContainsFunc(states.Sessions(), func(s live.Session) bool { return s.Key.Session == id }), err
}

// contents returns the hashes of the transcripts of a family.
func contents(s *sesskeep.Store, family sesskeep.Family) (map[string]shelf.Content, error) {
	refs := slices.Clone(family.Agents)
	if family.Main != nil {
		refs = append(refs, *family.Main)
	}
	has := map[string]shelf.Content{}
	for _, ref := range refs {
		c, err := shelf.ContentAt(s.Path(ref.File))
		if err != nil {
			return nil, &sesskeep.Error{Op: repairVerb, Name: s.Path(ref.File), Err: err}
		}
		has[ref.File] = c
	}
	return has, nil
}

// RepairSession repairs a session as [Checker.Repair] plans it.
func (ck *Checker) RepairSession(ctx context.Context, d acts.Doing, t catalog.Target) (plan RepairPlan, act int, err error) {
	if plan, err = ck.Repair(ctx, t, d.Actor); err != nil {
		return plan, 0, err
	}
	act, err = ck.opts.Journal.CarryOut(ctx, d, plan.Plan)
	return plan, act, err
}
