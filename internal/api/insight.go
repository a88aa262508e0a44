package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/insight"
)

// insightRoutes are the operations that count by rules.
type insightRoutes struct{ *Server }

func (s insightRoutes) register(api huma.API) {
	const rules = "docs/insights.md defines the rule of each figure and says what it cannot see. Each figure names the messages behind it."
	get(api, "/insights", routeInfo{
		id: "insights", sum: "Report where time and money went, and what went wrong", tag: aboutUsage, role: access.Read, more: rules,
	}, s.insights)
	get(api, "/projects/{project}/sessions/{id}/health", routeInfo{
		id: "sessionHealth", sum: "Report where time and money went in a session, and what went wrong", tag: aboutUsage, role: access.Read, more: rules,
	}, s.health)
}

type insightInput struct {
	Limit Number `query:"limit" doc:"Number of messages named behind each figure, at most 500. Default: 20"`
	Spent
}

func (s insightRoutes) insights(ctx context.Context, in *insightInput) (*body[insight.Insights], error) {
	most, err := limit(in.Limit, 20)
	if err != nil {
		return nil, err
	}
	f, zone, err := in.filter(ctx, s.Server)
	if err != nil {
		return nil, err
	}
	return s.count(ctx, insight.Query{Since: f.Since, Until: f.Until, Projects: f.Projects, Zone: zone, Limit: most})
}

func (s insightRoutes) health(ctx context.Context, in *OneSession) (*body[insight.Insights], error) {
	_, t, err := s.target(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.count(ctx, insight.Query{Session: t.Ref.ID(), Root: t.Store.Root(), Zone: s.opts.Now().Location()})
}

func (s insightRoutes) count(ctx context.Context, q insight.Query) (*body[insight.Insights], error) {
	var err error
	if q.Prices, err = s.prices(ctx); err != nil {
		return nil, err
	}
	found, err := s.opts.App.Insight.Count(ctx, q)
	if err != nil {
		return nil, err
	}
	return answer(found), nil
}
