package app

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

// repairVerb is what the journal calls a repair.
const repairVerb = "repair"

// FileRepair says what a repair changes in one transcript, and why.
type FileRepair = check.Repair

// RepairPlan is how the transcripts of a session can be mended.
type RepairPlan struct {
	Root    string        `json:"root"`
	Session string        `json:"sessionId"`
	Before  CheckVerdict  `json:"verdict"` // as it is
	Files   []*FileRepair `json:"files"`
	// Left are the findings that no repair can mend.
	Left []CheckFinding `json:"left"`

	Plan shelf.Plan `json:"-"`
}

// errRuns says that a client has the session open.
var errRuns = errcode.New(errcode.Conflict, errors.New("a client is running it; end that first"))

// Repair plans to mend a session. A transcript is replaced as a whole, and the old
// one is kept. A session that a client has open is [errcode.Conflict], one that is not
// there [errcode.NotFound].
func (a *App) Repair(ctx context.Context, t catalog.Target, by shelf.Actor) (RepairPlan, error) {
	one, err := a.oneToCheck(t)
	if err != nil {
		return RepairPlan{}, err
	}
	id := one.family.Key.Session
	p := RepairPlan{Root: t.Store.Root(), Session: string(id), Files: []*FileRepair{}, Left: []CheckFinding{}}
	runs, err := a.runs(t.Store, id)
	if err != nil {
		return p, err
	}
	if one.live || runs {
		return p, &sesskeep.Error{Op: repairVerb, Name: string(id), Err: errRuns}
	}
	run, held, err := a.living.Of(ctx, t.Store.Root(), id)
	if err != nil {
		return p, err
	}
	if held {
		return p, &sesskeep.Error{Op: repairVerb, Name: string(id), Err: fmt.Errorf("%w (run %s)", errRuns, run.ID)}
	}
	report, err := a.checkSession(ctx, one)
	if err != nil {
		return p, err
	}
	p.Before = report.Verdict
	for _, f := range report.Findings {
		if !f.Code.Mendable() {
			p.Left = append(p.Left, f)
		}
	}
	// First what the files hold, then what is to change: what others write from now
	// on is noticed.
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

// runs reports whether a client has a session open, also one that does not register
// itself.
func (a *App) runs(s *sesskeep.Store, id sesskeep.SessionID) (bool, error) {
	states, err := live.Now(live.Options{Stores: []*sesskeep.Store{s}, Alive: a.opts.Alive, Processes: a.opts.Processes, Reports: a.opts.Reports})
	return slices.ContainsFunc(states.Sessions(), func(s live.Session) bool { return s.Key.Session == id }), err
}

// contents names what the transcripts of a family hold.
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

// RepairSession mends a session as [App.Repair] plans it.
func (a *App) RepairSession(ctx context.Context, d acts.Doing, t catalog.Target) (plan RepairPlan, act int, err error) {
	if plan, err = a.Repair(ctx, t, d.Actor); err != nil {
		return plan, 0, err
	}
	act, err = a.Manage.CarryOut(ctx, d, plan.Plan)
	return plan, act, err
}
