package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/errcode"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/resume"
	"sesskeep/internal/runs"
	"sesskeep/internal/shelf"
)

const aboutRuns = "runs"

// runRoutes are the operations about runs and their questions.
type runRoutes struct{ *Server }

func (s runRoutes) register(api huma.API) {
	if s.opts.Runs == nil {
		return
	}
	read := func(id, sum string) routeInfo { return routeInfo{id: id, sum: sum, tag: aboutRuns, role: access.Read} }
	act := func(id, sum string) routeInfo {
		return routeInfo{id: id, sum: sum, tag: aboutRuns, role: access.Operate}
	}
	get(api, "/runs", read("listRuns", "List runs, newest first"), s.listRuns)
	post(api, "/runs", act("startRun", "Start or resume a session"), s.startRun)
	get(api, "/runs/{run}", read("getRun", "Show a run and its events"), s.getRun)
	add(api, http.MethodPatch, "/runs/{run}", act("setRun", "Change the model or the permission mode of a run"), s.setRun)
	add(api, http.MethodDelete, "/runs/{run}", act("removeRun", "Remove a run that has ended; its session stays"), s.removeRun)
	post(api, "/runs/{run}/messages", act("sendToRun", "Send a message to a run"), s.sendToRun)
	post(api, "/runs/{run}/interrupt", act("interruptRun", "Interrupt the current turn of a run"), s.interruptRun)
	post(api, "/runs/{run}/stop", act("stopRun", "Stop a run"), s.stopRun)
	get(api, "/inbox", read("listInbox", "List the open questions of running sessions"), s.listInbox)
	decide := act("answerPrompt", "Answer a question of a running session")
	decide.role = access.Approve
	post(api, "/inbox/{id}", decide, s.answerPrompt)
}

// actor returns the caller as the journal records it.
func (s runRoutes) actor(ctx context.Context) shelf.Actor { return s.doing(ctx, false, false).Actor }

type runsInput struct {
	Living  bool   `query:"living" doc:"Only runs that have not ended"`
	Session string `query:"sessionId" doc:"Only runs of this session"`
	Paging
}

// RunPage is a page of runs.
type RunPage struct {
	Runs []holder.Record `json:"runs" doc:"Runs, newest first"`
	Paged
	Today  runs.RunDay `json:"today" doc:"Cost of all runs since midnight"`
	Unread []string    `json:"unread,omitempty" doc:"Runs that could not be read, or not whole, with the reason"`
}

func (s runRoutes) listRuns(ctx context.Context, in *runsInput) (*body[RunPage], error) {
	all, err := s.opts.Runs.List(ctx, runs.Filter{Living: in.Living, Session: in.Session})
	if err != nil {
		return nil, err
	}
	page, w, err := paginate(&in.Paging, "runs", all.Runs, func(r *holder.Record) string { return r.ID })
	if err != nil {
		return nil, err
	}
	return answer(RunPage{page, w, all.Today, all.Unread}), nil
}

// NewRun is the request to start a run.
type NewRun struct {
	Project        string  `json:"project,omitempty" doc:"Work in the directory of this project"`
	Cwd            string  `json:"cwd,omitempty" doc:"Work in this directory: that of a known project, or one below --allow-root"`
	Prompt         string  `json:"prompt" doc:"The first prompt"`
	Model          string  `json:"model,omitempty" doc:"Model to use; empty means the client's default"`
	PermissionMode string  `json:"permissionMode,omitempty" doc:"ask, acceptEdits, plan, auto or dontAsk; bypassPermissions only from this machine, with --allow-bypass"`
	Resume         string  `json:"resume,omitempty" doc:"Resume this session in its directory"`
	Fork           bool    `json:"fork,omitempty" doc:"Resume a copy of the session instead"`
	Role           string  `json:"role,omitempty" doc:"Tag for the session: what it is, in a word"`
	Purpose        string  `json:"purpose,omitempty" doc:"Title for the session, unless it has one"`
	Worktree       string  `json:"worktree,omitempty" doc:"Create a git worktree of this name and work in it"`
	Timeout        int     `json:"timeout,omitempty" doc:"Stop the run after this many seconds"`
	BudgetUSD      float64 `json:"budgetUsd,omitempty" doc:"Stop the run when it has cost this much"`
	Retries        int     `json:"retries,omitempty" doc:"Retry a turn this many times when the API is overloaded"`
	AfterReset     bool    `json:"afterReset,omitempty" doc:"When the plan's limit is reached, continue after it resets"`
}

type startInput struct{ Body NewRun }

func (s runRoutes) startRun(ctx context.Context, in *startInput) (*body[holder.Record], error) {
	return runAnswer(s.start(ctx, &in.Body))
}

// start starts a run.
func (s runRoutes) start(ctx context.Context, n *NewRun) (holder.Record, error) {
	order, err := s.order(ctx, n)
	if err != nil {
		return holder.Record{}, err
	}
	plan, err := s.opts.Runs.Plan(order)
	if err != nil {
		return holder.Record{}, err
	}
	if err := plan.Missing(); err != nil {
		p := newProblem(http.StatusConflict, codeNoClient, err.Error())
		if errors.Is(err, errcode.ErrNoClient) {
			p.Hint = "install Claude Code on the machine of the server"
		}
		return holder.Record{}, p
	}
	return s.opts.Runs.Start(ctx, plan)
}

// codeNoClient is the code of the problem that there is no client to run.
const codeNoClient = "no_client"

// order converts the request to an order, in a directory where runs are allowed.
func (s runRoutes) order(ctx context.Context, n *NewRun) (runs.Order, error) {
	o := runs.Order{
		Prompt: n.Prompt, Model: n.Model, Mode: n.PermissionMode, Role: n.Role, Purpose: n.Purpose, Worktree: n.Worktree, By: s.actor(ctx),
		Limits: runs.Limits{Total: time.Duration(n.Timeout) * time.Second, Budget: n.BudgetUSD, Retries: n.Retries, AfterReset: n.AfterReset},
	}
	if o.Mode == "bypassPermissions" && !s.fromThisMachine(ctx) {
		return o, bypassRefused()
	}
	dir := n.Cwd
	if n.Resume != "" {
		plan, err := s.planResume(ctx, n)
		if err != nil {
			return o, err
		}
		o.Resume, o.Fork, o.Root = plan.Session, n.Fork, plan.Root
		if dir == "" && n.Project == "" {
			dir = plan.Dir
		}
	}
	if dir == "" && n.Project == "" {
		return o, invalid("cwd", "say where to work: project or cwd")
	}
	location, err := s.opts.App.Resume.Location(ctx, s.opts.Places, n.Project, dir)
	o.Dir = location.Dir
	if o.Root == "" {
		o.Root = location.Root
	}
	return o, err
}

// planResume plans to resume a session.
func (s runRoutes) planResume(ctx context.Context, n *NewRun) (resume.Plan, error) {
	session, err := s.session(ctx, &OneSession{InProject: InProject{everyProject}, ID: n.Resume})
	if err != nil {
		return resume.Plan{}, err
	}
	plan, err := s.opts.App.Resume.PlanSession(ctx, &session, resume.Options{Fork: n.Fork})
	if err == nil && len(plan.Conflicts) > 0 {
		err = fmt.Errorf("resume %s: %s: %w", plan.Session, plan.Conflicts[0], errcode.ErrConflict)
	}
	return plan, err
}

// fromThisMachine reports whether a request comes from this machine, and not through a
// proxy on it.
func (s runRoutes) fromThisMachine(ctx context.Context) bool {
	from := callerOf(ctx).From
	addr, err := netip.ParseAddr(from)
	return !s.opts.Proxied && (from == "local" || err == nil && addr.IsLoopback())
}

// bypassRefused is the problem of bypassing permissions from another machine.
func bypassRefused() *Problem {
	p := newProblem(http.StatusForbidden, string(errcode.Denied), "permissions can be bypassed from this machine only")
	p.Hint = "ask on the machine of the server, or choose another permissionMode"
	return p
}

// RunShown is a run with its events.
type RunShown struct {
	holder.Record
	Events []launch.Event `json:"events" doc:"Lifecycle of the run, oldest event first"`
	// Problem is beside what can be read.
	Problem string `json:"problem,omitempty" doc:"What of the run's files is damaged or missing"`
}

// OneRun is the run that a route names.
type OneRun struct {
	Run string `path:"run" doc:"ID of the run, such as r7"`
}

func (s runRoutes) getRun(ctx context.Context, in *OneRun) (*body[RunShown], error) {
	run, err := s.opts.Runs.Read(ctx, in.Run)
	if err != nil {
		return nil, err
	}
	shown := RunShown{Record: run, Events: []launch.Event{}, Problem: run.Damage}
	events, err := s.opts.Runs.Events(run.ID)
	if err != nil { // what can be read of them is there
		shown.Problem = err.Error()
	}
	shown.Events = append(shown.Events, events...)
	return answer(shown), nil
}

// RunChange are changes of an active run.
type RunChange struct {
	Model          string `json:"model,omitempty" doc:"Model for the following turns"`
	PermissionMode string `json:"permissionMode,omitempty" doc:"Permission mode for the following turns"`
}

type setInput struct {
	OneRun
	Body RunChange
}

func (s runRoutes) setRun(ctx context.Context, in *setInput) (*body[holder.Record], error) {
	if in.Body.PermissionMode == "bypassPermissions" && !s.fromThisMachine(ctx) {
		return nil, bypassRefused()
	}
	return runAnswer(s.opts.Runs.Set(ctx, in.Run, in.Body.Model, in.Body.PermissionMode))
}

func runAnswer(run holder.Record, err error) (*body[holder.Record], error) {
	if err != nil {
		return nil, err
	}
	return answer(run), nil
}

type removeInput struct {
	OneRun
	Dry
}

func (s runRoutes) removeRun(ctx context.Context, in *removeInput) (*body[holder.Record], error) {
	run, err := s.opts.Runs.Read(ctx, in.Run)
	if err == nil && in.DryRun {
		err = s.opts.Runs.Removable(run)
	} else if err == nil {
		err = s.opts.Runs.Remove(ctx, in.Run)
	}
	return runAnswer(run, err)
}

// RunMessage is a message to a run.
type RunMessage struct {
	Prompt    string `json:"prompt" doc:"Text of the message"`
	MessageID string `json:"messageId,omitempty" doc:"A UUID; sending it again does not repeat the message"`
}

type messageInput struct {
	OneRun
	Body RunMessage
}

func (s runRoutes) sendToRun(ctx context.Context, in *messageInput) (*body[holder.Record], error) {
	return runAnswer(s.opts.Runs.Send(ctx, in.Run, in.Body.Prompt, in.Body.MessageID))
}

func (s runRoutes) interruptRun(ctx context.Context, in *OneRun) (*body[holder.Record], error) {
	return runAnswer(s.opts.Runs.Interrupt(ctx, in.Run, s.actor(ctx)))
}

func (s runRoutes) stopRun(ctx context.Context, in *OneRun) (*body[holder.Record], error) {
	return runAnswer(s.opts.Runs.Stop(ctx, in.Run, s.actor(ctx)))
}
