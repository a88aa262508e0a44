package api

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/health"
	"sesskeep/internal/jobs"
	"sesskeep/internal/keeping"
	"sesskeep/internal/manage"
	"sesskeep/internal/relocate"
	"sesskeep/internal/transfer"

	"github.com/danielgtaylor/huma/v2"
)

// mendRoutes are the operations that check, repair and clean.
type mendRoutes struct{ *Server }

func (s mendRoutes) register(api huma.API) {
	get(api, "/check", routeInfo{
		id: "check", sum: "Check for damage, and whether the client would resume each session", tag: aboutActs, role: access.Read,
		more: "Checks everything, the sessions of one project, or one session, and changes nothing. It reads all transcripts: use async=true if there are many.",
	}, s.check)
	post(api, "/projects/{project}/sessions/{id}/repair", routeInfo{
		id: "repairSession", sum: "Repair the transcripts of a session", tag: aboutActs, role: access.Manage,
		more: "Each transcript is replaced as a whole; undo restores the old one. left lists the findings that cannot be repaired.",
	}, s.repair)
	post(api, "/projects/{project}/sessions/{id}/branch", routeInfo{
		id: "branchSession", sum: "Copy a conversation to a session of its own", tag: aboutActs, role: access.Manage,
		more: "The original session does not change.",
	}, s.branch)
	post(api, "/clean", routeInfo{
		id: "clean", sum: "Move old sessions and unneeded files to the trash", tag: aboutActs, role: access.Manage,
		more: "GET /clean lists what there is. Sessions must meet all conditions in sessions, and are copied first. Archived, starred and active sessions are skipped.",
	}, s.clean)
	post(api, "/projects/{project}/move", routeInfo{
		id: "moveProject", sum: "Update a project whose folder was moved", tag: aboutActs, role: access.Operate,
		more: "Changes the path in the project's sessions, its memory, the prompt history and its entry in .claude.json. The folder itself is not touched. Fails while a client of the home is running.",
	}, s.moveProject)
	add(api, http.MethodPut, "/keep/retention", routeInfo{
		id: "setRetention", sum: "Set how many days the client keeps sessions", tag: aboutCopies, role: access.Operate,
		more: "Sets cleanupPeriodDays in settings.json and leaves every other byte of the file unchanged.",
	}, s.setRetention)
	get(api, "/keep/retention", routeInfo{
		id: "retention", sum: "Show how many days the client keeps sessions, and which file sets it", tag: aboutCopies, role: access.Read,
		more: "problems lists unreadable settings files, which are ignored.",
	}, s.retention)
}

type checkInput struct {
	Async
	Project string `query:"project" doc:"Only sessions of this project"`
	Session string `query:"session" doc:"Only this session"`
	Root    string `query:"root" doc:"Directory of the session's home, if several homes have it"`
}

func (s mendRoutes) check(ctx context.Context, in *checkInput) (*outcome[health.CheckPage], error) {
	var o health.CheckOptions
	switch {
	case in.Session != "":
		_, t, err := s.target(ctx, &OneSession{InProject: InProject{everyProject}, ID: in.Session, Root: in.Root})
		if err != nil {
			return nil, err
		}
		o.Target = &t
	case in.Project != "":
		found, err := s.project(ctx, in.Project)
		if err != nil {
			return nil, err
		}
		o.Projects = []string{found.ID}
	}
	return perform(ctx, s.Server, in.Async, "check", func(ctx context.Context, p jobs.Progress) (health.CheckPage, error) {
		o.Progress = p
		return s.opts.App.Health.Check(ctx, o)
	})
}

// Repaired is the result of a repair.
type Repaired struct {
	health.RepairPlan
	ActID  int  `json:"actId,omitempty" doc:"Number of the act, for undo"`
	DryRun bool `json:"dryRun" doc:"True if nothing was changed"`
}

func (s mendRoutes) repair(ctx context.Context, in *actInput) (*body[Repaired], error) {
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	plan, act, err := s.opts.App.Health.RepairSession(ctx, s.doing(ctx, in.DryRun, false), t)
	if err != nil {
		return nil, err
	}
	return answer(Repaired{plan, act, in.DryRun}), s.refreshAfter(ctx, act)
}

type branchInput struct {
	OneSession
	Dry
	Body struct {
		Leaf  string `json:"leaf" doc:"Conversation, by the uuid of its last line"`
		Title string `json:"title,omitempty" maxLength:"500" doc:"Title of the new session"`
	}
}

// Branched is a conversation that was copied to a session of its own.
type Branched struct {
	transfer.BranchPlan
	ActID  int  `json:"actId,omitempty" doc:"Number of the act, for undo"`
	DryRun bool `json:"dryRun" doc:"True if nothing was changed"`
}

func (s mendRoutes) branch(ctx context.Context, in *branchInput) (*body[Branched], error) {
	if in.Body.Leaf == "" {
		return nil, invalid("leaf", "say which conversation")
	}
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	t.Leaf = in.Body.Leaf
	plan, act, err := s.opts.App.Transfer.BranchSession(ctx, s.doing(ctx, in.DryRun, false), t, in.Body.Title)
	if err != nil {
		return nil, err
	}
	return answer(Branched{plan, act, in.DryRun}), s.refreshAfter(ctx, act)
}

// refreshAfter updates the index after an act, so that the client's next list shows it.
func (s mendRoutes) refreshAfter(ctx context.Context, act int) error {
	if act == 0 {
		return nil
	}
	return s.opts.App.Index.Refresh(ctx)
}

type cleanInput struct {
	Async
	Dry
	Body struct {
		Sessions *struct {
			OlderThanDays int    `json:"olderThanDays,omitempty" minimum:"0" doc:"Minimum days since the last activity"`
			MinSize       int64  `json:"minSize,omitempty" minimum:"0" doc:"Minimum size of the transcript in bytes"`
			Empty         bool   `json:"empty,omitempty" doc:"Only sessions without messages"`
			Source        string `json:"source,omitempty" enum:"user,agent,helper,all" doc:"Default: user; all for empty sessions"`
			Project       string `json:"project,omitempty" doc:"Only sessions of this project"`
		} `json:"sessions,omitempty" doc:"Sessions to clean up. Default: none"`
		Unneeded []string `json:"unneeded,omitempty" doc:"Kinds of unneeded files, as GET /clean names them, or all"`
		Days     int      `json:"quietDays,omitempty" minimum:"0" doc:"Minimum days since the last write to unneeded files. Default: 1"`
		DryRun   bool     `json:"dryRun,omitempty" doc:"Only report what would be done"`
		Force    bool     `json:"force,omitempty" doc:"Include sessions that are in use"`
	}
}

func (s mendRoutes) clean(ctx context.Context, in *cleanInput) (*outcome[acts.Outcome], error) {
	o, err := s.cleanOptions(ctx, in)
	if err != nil {
		return nil, err
	}
	return perform(ctx, s.Server, in.Async, "clean", func(ctx context.Context, p jobs.Progress) (acts.Outcome, error) {
		d := s.doing(ctx, in.DryRun || in.Body.DryRun, in.Body.Force)
		d.Progress = p.Count
		out, err := s.opts.App.Manage.Clean(ctx, d, o)
		if err != nil {
			return out, err
		}
		return out, s.refreshIndex(ctx, &out)
	})
}

// cleanOptions returns the options for the body of a request. It rejects a body without a
// condition, which would select everything.
func (s mendRoutes) cleanOptions(ctx context.Context, in *cleanInput) (o manage.CleanOptions, err error) {
	b, now := &in.Body, s.opts.Now()
	days := func(n int) time.Time { return now.Add(-time.Duration(min(n, 1e5)) * 24 * time.Hour) }
	if o.Unneeded = b.Unneeded; slices.Contains(b.Unneeded, "all") {
		o.Unneeded = manage.UnneededKinds()
	}
	for _, kind := range o.Unneeded {
		if !slices.Contains(manage.UnneededKinds(), kind) {
			return o, invalid("unneeded", "there is no kind %q", clip(kind, 40))
		}
	}
	if b.Days > 0 {
		o.Quiet = days(b.Days)
	}
	if b.Sessions == nil {
		if len(o.Unneeded) == 0 {
			return o, invalid("body", "say what to clean up: sessions, unneeded or both")
		}
		return o, nil
	}
	f := ask.Filter{Source: b.Sessions.Source, MinSize: b.Sessions.MinSize, Empty: b.Sessions.Empty}
	if b.Sessions.OlderThanDays > 0 {
		f.Idle = days(b.Sessions.OlderThanDays)
	}
	if f.Idle.IsZero() && f.MinSize == 0 && !f.Empty {
		return o, invalid("sessions", "say how old, how large, or empty")
	}
	if f.Empty && f.Source == "" {
		f.Source = "all"
	}
	if b.Sessions.Project != "" {
		if f.Projects, err = s.projectIDs(ctx, b.Sessions.Project); err != nil {
			return o, err
		}
	}
	o.Sessions = &manage.Selection{Filter: &f}
	return o, nil
}

type moveInput struct {
	InProject
	Async
	Dry
	Body struct {
		To     string `json:"to" doc:"New absolute path of the folder" example:"/srv/new-app"`
		DryRun bool   `json:"dryRun,omitempty" doc:"Only report what would be done"`
	}
}

// Moved is the result of moving a project.
type Moved struct {
	Homes  []relocate.MovedProject `json:"homes" doc:"One for each home that has the project"`
	DryRun bool                    `json:"dryRun" doc:"True if nothing was changed"`
}

func (s mendRoutes) moveProject(ctx context.Context, in *moveInput) (*outcome[Moved], error) {
	if !filepath.IsAbs(in.Body.To) {
		return nil, invalid("to", "it has to be a path from the root on")
	}
	found, err := s.project(ctx, in.Project)
	if err != nil {
		return nil, err
	}
	from := found.Path
	if from == "" {
		return nil, invalid("project", "its path is not known")
	}
	dry := in.DryRun || in.Body.DryRun
	return perform(ctx, s.Server, in.Async, "move", func(ctx context.Context, _ jobs.Progress) (Moved, error) {
		list, err := s.opts.App.Relocate.Project(ctx, s.doing(ctx, dry, false), from, in.Body.To)
		out := Moved{Homes: append([]relocate.MovedProject{}, list...), DryRun: dry}
		if err != nil || dry {
			return out, err
		}
		return out, s.opts.App.Index.Refresh(ctx)
	})
}

type retentionInput struct {
	Dry
	Body struct {
		Days   int    `json:"days" minimum:"1" maximum:"100000" doc:"Number of days; 3650 is practically never" example:"365"`
		Root   string `json:"root,omitempty" doc:"Directory of a home. Default: all homes"`
		DryRun bool   `json:"dryRun,omitempty" doc:"Only report what would be done"`
	}
}

func (s mendRoutes) setRetention(ctx context.Context, in *retentionInput) (*body[acts.Outcome], error) {
	out, err := s.opts.App.Keep.SetRetention(ctx, s.doing(ctx, in.DryRun || in.Body.DryRun, false), in.Body.Root, in.Body.Days)
	if err == nil && out.Failed == out.Total {
		err = out.Err()
	}
	if err != nil {
		return nil, err
	}
	return answer(out), nil
}

func (s mendRoutes) retention(ctx context.Context, _ *noInput) (*body[keeping.RetentionPage], error) {
	page, err := s.opts.App.Keep.Retentions(ctx, s.opts.Managed)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}
