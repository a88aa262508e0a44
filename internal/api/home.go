package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/health"
	"sesskeep/internal/history"
	"sesskeep/internal/money"
	"sesskeep/internal/setup"
)

const aboutHomes = "homes"

// homeRoutes are the operations about homes and the user's setup.
type homeRoutes struct{ *Server }

func (s homeRoutes) register(api huma.API) {
	get(api, "/history", routeInfo{id: "history", sum: "List typed prompts, newest first", tag: aboutHomes, role: access.Read}, s.history)
	get(api, "/history/projects", routeInfo{id: "historyProjects", sum: "List the directories with typed prompts", tag: aboutHomes, role: access.Read}, s.historyProjects)
	get(api, "/history/timeline", routeInfo{id: "historyTimeline", sum: "Count prompts by day", tag: aboutHomes, role: access.Read}, s.historyTimeline)
	get(api, "/commands", routeInfo{id: "commands", sum: "List command files, agents and skills", tag: aboutHomes, role: access.Read}, s.commands)
	get(api, "/storage", routeInfo{id: "storage", sum: "Report the disk usage of Claude's homes", tag: aboutHomes, role: access.Read}, s.storage)
	get(api, "/doctor", routeInfo{id: "doctor", sum: "Diagnose problems of the homes", tag: aboutHomes, role: access.Read}, s.doctor)
}

type historyInput struct {
	Q       string `query:"q" doc:"Only prompts that contain this text"`
	Project string `query:"project" doc:"Only prompts typed in or below this directory, or in this project"`
	Pastes  bool   `query:"pastes" doc:"Search pasted text too"`
	Full    bool   `query:"full" doc:"Include the text with its pastes filled in"`
	Since   string `query:"since" doc:"Typed at or after this time: RFC 3339 or a date"`
	Until   string `query:"until" doc:"Typed before this time: RFC 3339 or a date"`
	Zone    string `query:"tz" doc:"Time zone of days. Default: the server's" example:"Europe/Berlin"`
	Paging
}

func (in *historyInput) filter() (f history.PromptFilter, err error) {
	f = history.PromptFilter{Text: in.Q, Pastes: in.Pastes, Full: in.Full, Where: history.Where{All: in.Project == "", Project: in.Project}}
	if f.Slice, err = in.slice(usualLimit); err != nil {
		return f, err
	}
	if f.Since, err = parseTime("since", in.Since); err != nil {
		return f, err
	}
	f.Until, err = parseTime("until", in.Until)
	return f, err
}

func (s homeRoutes) history(ctx context.Context, in *historyInput) (*body[history.PromptPage], error) {
	return prompts(ctx, in, s.opts.App.History.Prompts)
}

func (s homeRoutes) historyProjects(ctx context.Context, in *historyInput) (*body[history.ProjectUsePage], error) {
	return prompts(ctx, in, s.opts.App.History.RecentProjects)
}

func (s homeRoutes) historyTimeline(ctx context.Context, in *historyInput) (*body[history.Timeline], error) {
	zone, err := money.Zone(in.Zone, s.opts.Now().Location())
	if err != nil {
		return nil, invalid("tz", "%v", err)
	}
	return prompts(ctx, in, func(ctx context.Context, f history.PromptFilter) (history.Timeline, error) {
		return s.opts.App.History.Timeline(ctx, f, zone)
	})
}

// prompts calls query with the filter of a request.
func prompts[T any](ctx context.Context, in *historyInput, ask func(context.Context, history.PromptFilter) (T, error)) (*body[T], error) {
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	value, err := ask(ctx, f)
	if err != nil {
		return nil, err
	}
	return answer(value), nil
}

type commandsInput struct {
	Kind    string `query:"kind" enum:"command,agent,skill" doc:"Only commands, agents or skills"`
	Scope   string `query:"scope" enum:"user,project" doc:"Only those of the user's home, or of the project"`
	Project string `query:"project" doc:"Include this project's. Default: only the homes'"`
	Paging
}

func (s homeRoutes) commands(ctx context.Context, in *commandsInput) (*body[setup.CommandPage], error) {
	slice, err := in.slice(usualLimit)
	if err != nil {
		return nil, err
	}
	all, problems, err := s.opts.App.Setup.Commands(ctx, setup.CommandFilter{
		Kind: in.Kind, Scope: in.Scope, Where: history.Where{All: in.Project == "", Project: in.Project},
	})
	if err != nil {
		return nil, err
	}
	page, err := setup.CommandList(all, problems, slice)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

func (s homeRoutes) storage(ctx context.Context, _ *noInput) (*body[health.StoragePage], error) {
	page, err := s.opts.App.Health.Storage(ctx, s.opts.Now())
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

func (s homeRoutes) doctor(ctx context.Context, _ *noInput) (*body[health.Health], error) {
	health, err := s.opts.App.Health.Doctor(ctx, health.DoctorOptions{
		Now: s.opts.Now(), Alive: s.opts.Alive, Managed: s.opts.Managed, Server: &health.ServerNote{URL: s.opts.URL, Trust: DescribeTrust(s.opts.Trust)},
	})
	if err != nil {
		return nil, err
	}
	return answer(health), nil
}
