package api

import (
	"context"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/money"

	"github.com/danielgtaylor/huma/v2"
)

const aboutUsage = "usage"

// usageRoutes are the operations about usage and cost.
type usageRoutes struct{ *Server }

func (s usageRoutes) register(api huma.API) {
	get(api, "/usage", routeInfo{
		id: "usage", sum: "Report token usage and cost", tag: aboutUsage, role: access.Read,
		more: "Every message counts once over all files, and the rows add up to the totals.",
	}, s.usage)
	get(api, "/usage/ledger", routeInfo{
		id: "ledger", sum: "List the messages behind a total, and why each counts or does not", tag: aboutUsage, role: access.Read,
	}, s.ledger)
	get(api, "/stats", routeInfo{
		id: "stats", sum: "Report statistics of all sessions", tag: aboutUsage, role: access.Read,
	}, s.stats)
}

// Spent has the parameters of all operations about cost.
type Spent struct {
	Project string `query:"project" doc:"Only this project: its path, or any of its names"`
	Zone    string `query:"tz" doc:"Time zone of days. Default: the server's" example:"Europe/Berlin"`
	Listed  bool   `query:"listed" doc:"Only what lists show: no archived sessions, and none in the trash. What was spent there counts otherwise"`
	Choice
}

// filter returns the filter, and the time zone of days.
func (p *Spent) filter(ctx context.Context, s *Server) (ask.Filter, *time.Location, error) {
	zone, err := money.Zone(p.Zone, s.opts.Now().Location())
	if err != nil {
		return ask.Filter{}, nil, invalid("tz", "%v", err)
	}
	project := p.Project
	if project == "" {
		project = everyProject
	}
	f, err := p.Choice.filter(ctx, s, project, Words{})
	f.Now = time.Time{} // states are not requested
	f.Listed = p.Listed
	return f, zone, err
}

type usageInput struct {
	By    string `query:"by" enum:"day,week,month,project,model,session,source,agent,branch,gitBranch,window" default:"day" doc:"What the rows group by: a period of time, or something else with the highest cost first. branch is an alias of gitBranch"`
	Limit Number `query:"limit" doc:"Number of rows, at most 500. Default: all"`
	Spent
}

func (s usageRoutes) usage(ctx context.Context, in *usageInput) (*body[catalog.UsageReport], error) {
	most := 0
	if in.Limit != "" {
		var err error
		if most, err = limit(in.Limit, 0); err != nil {
			return nil, err
		}
	}
	f, zone, err := in.filter(ctx, s.Server)
	if err != nil {
		return nil, err
	}
	prices, err := s.prices(ctx)
	if err != nil {
		return nil, err
	}
	report, err := s.opts.App.Catalog.Reports.Usage(ctx, money.UsageOptions{By: in.By, Filter: f, Zone: zone, Prices: prices, Now: s.opts.Now(), Limit: most})
	if err != nil {
		return nil, err
	}
	return answer(report), nil
}

type ledgerInput struct {
	Session string `query:"session" doc:"Only this session with its agents, or only this agent"`
	Dropped bool   `query:"dropped" doc:"Only rows that do not count"`
	Paging
	Spent
}

func (s usageRoutes) ledger(ctx context.Context, in *ledgerInput) (*body[catalog.Ledger], error) {
	slice, err := in.slice(usualLimit)
	if err != nil {
		return nil, err
	}
	f, _, err := in.filter(ctx, s.Server)
	if err != nil {
		return nil, err
	}
	prices, err := s.prices(ctx)
	if err != nil {
		return nil, err
	}
	f.Limit, f.Offset, f.Cursor = slice.Limit, slice.Offset, slice.Cursor
	l, err := s.opts.App.Catalog.Reports.Ledger(ctx, in.Session, money.LedgerOptions{Filter: f, Dropped: in.Dropped, Prices: prices})
	if err != nil {
		return nil, err
	}
	return answer(l), nil
}

func (s usageRoutes) stats(ctx context.Context, in *Spent) (*body[catalog.Stats], error) {
	f, zone, err := in.filter(ctx, s.Server)
	if err != nil {
		return nil, err
	}
	prices, err := s.prices(ctx)
	if err != nil {
		return nil, err
	}
	stats, err := s.opts.App.Catalog.Reports.Stats(ctx, money.StatsOptions{Filter: f, Zone: zone, Prices: prices, Limit: usualLimit})
	if err != nil {
		return nil, err
	}
	return answer(stats), nil
}
