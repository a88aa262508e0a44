package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/insight"
	"sesskeep/internal/money"
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
	get(api, "/projects/{project}/sessions/{id}/context", routeInfo{
		id: "sessionContext", sum: "Report what fills the context of a conversation, answer by answer", tag: aboutUsage, role: access.Read,
		more: "Totals are what the API counted. Kinds, tools, files and items are estimated by length; docs/insights.md says how.",
	}, s.context)
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

type healthInput struct {
	OneSession
	Limit Number `query:"limit" doc:"Number of messages named behind each figure, at most 500. Default: 20"`
	Zone  string `query:"tz" doc:"Time zone of days and hours. Default: the server's" example:"Europe/Berlin"`
}

func (s insightRoutes) health(ctx context.Context, in *healthInput) (*body[insight.Insights], error) {
	most, err := limit(in.Limit, 20)
	if err != nil {
		return nil, err
	}
	zone, err := money.Zone(in.Zone, s.opts.Now().Location())
	if err != nil {
		return nil, invalid("tz", "%v", err)
	}
	_, t, err := s.target(ctx, &in.OneSession)
	if err != nil {
		return nil, err
	}
	return s.count(ctx, insight.Query{Session: t.Ref.ID(), Root: t.Store.Root(), Zone: zone, Limit: most})
}

type contextInput struct {
	OneSession
	Leaf    string `query:"leaf" doc:"Conversation, by the uuid of its last line. Default: the active one"`
	Message string `query:"around" doc:"Message: at is about the answer that has it or follows it"`
	At      Number `query:"at" doc:"Number of the answer that at is about, from 1. Default: the last one"`
	Points  Number `query:"points" doc:"Number of answers in points. Default: 1000"`
	Limit   Number `query:"limit" doc:"Number of items, tools and files, at most 500. Default: 20"`
}

// usualPoints is how many answers a curve has, unless a request says otherwise.
const usualPoints = 1000

func (s insightRoutes) context(ctx context.Context, in *contextInput) (*body[insight.ContextUse], error) {
	q := insight.ContextQuery{}
	var err error
	if q.Limit, err = limit(in.Limit, 20); err != nil {
		return nil, err
	}
	if q.At, err = number("at", in.At, 0); err != nil {
		return nil, err
	}
	if q.Points, err = number("points", in.Points, usualPoints); err != nil {
		return nil, err
	}
	if q.Prices, err = s.prices(ctx); err != nil {
		return nil, err
	}
	if _, q.Target, err = s.target(ctx, &in.OneSession); err != nil {
		return nil, err
	}
	q.Target.Leaf, q.Target.Message = in.Leaf, in.Message
	use, err := s.opts.App.Insight.Context(ctx, q)
	if err != nil {
		return nil, err
	}
	if q.At > use.Answers {
		return nil, invalid("at", "there is no answer %d: this conversation has %d", q.At, use.Answers)
	}
	return answer(use), nil
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
