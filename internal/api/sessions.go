package api

import (
	"context"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/money"

	"github.com/danielgtaylor/huma/v2"
)

const aboutSessions = "sessions"

// sessionRoutes are the operations that list and show sessions.
type sessionRoutes struct{ *Server }

func (s sessionRoutes) register(api huma.API) {
	get(api, "/projects/{project}/sessions", routeInfo{
		id: "listSessions", sum: "List sessions, most recently active first", tag: aboutSessions, role: access.Read,
		more: "total counts all matching rows; hidden counts, by source, the rows that only the source excludes.",
	}, s.listSessions)
	get(api, "/projects/{project}/sessions/count", routeInfo{
		id: "countSessions", sum: "Count sessions", tag: aboutSessions, role: access.Read,
	}, s.countSessions)
	get(api, "/projects/{project}/sessions/facets", routeInfo{
		id: "facets", sum: "Count sessions by what they have in common", tag: aboutSessions, role: access.Read,
		more: "Facets are source, state, started, project, gitBranch, model, tag, has, starred and archived. A count is the total that the list would have if the request chose that value of the facet. Values without sessions are left out.",
	}, s.facets)
	get(api, "/projects/{project}/sessions/{id}", routeInfo{
		id: "getSession", sum: "Show a session", tag: aboutSessions, role: access.Read,
	}, s.getSession)
	get(api, "/projects/{project}/sessions/{id}/children", routeInfo{
		id: "listChildren", sum: "List the agents of a session", tag: aboutSessions, role: access.Read,
	}, s.listChildren)
	get(api, "/sessions/recent", routeInfo{
		id: "recentSessions", sum: "List sessions of all projects, most recently active first", tag: aboutSessions, role: access.Read,
	}, s.recentSessions)
}

type listInput struct {
	InProject
	Choice
	Words
	Paging
	Sort string `query:"sort"`
}

func (s sessionRoutes) listSessions(ctx context.Context, in *listInput) (*body[catalog.Page], error) {
	f, err := in.Choice.filter(ctx, s.Server, in.Project, in.Words)
	if err != nil {
		return nil, err
	}
	slice, err := in.slice(usualLimit)
	if err != nil {
		return nil, err
	}
	f.Limit, f.Offset, f.Cursor, f.Sort = slice.Limit, slice.Offset, slice.Cursor, in.Sort
	page, err := s.page(ctx, f)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

// page returns a page of sessions with their cost.
func (s sessionRoutes) page(ctx context.Context, f ask.Filter) (catalog.Page, error) {
	page, err := s.opts.App.Catalog.List(ctx, f)
	if err != nil {
		return page, err
	}
	return page, s.addCosts(ctx, page.Sessions)
}

func (s *Server) addCosts(ctx context.Context, list []catalog.Session) error {
	prices, err := s.prices(ctx)
	if err != nil {
		return err
	}
	return s.opts.App.Catalog.AddCosts(ctx, list, prices)
}

// Count is the number of sessions, by source.
type Count struct {
	Total  int    `json:"total" doc:"Number of matching sessions of all sources"`
	User   int    `json:"user" doc:"Sessions of users"`
	Agent  int    `json:"agent" doc:"Agents"`
	Helper int    `json:"helper" doc:"Helpers of the client"`
	Count  *int   `json:"count,omitempty" doc:"With source: number of sessions of these sources"`
	Source string `json:"source,omitempty" doc:"Sources that count is about, as requested"`
	// Complete is set if the request has a q.
	Complete *bool `json:"complete,omitempty" doc:"With q: true if the search read everything"`
	Behind   bool  `json:"behind,omitempty" doc:"True while the index has not read everything: there may be more"`
	ask.Covered
}

type countInput struct {
	InProject
	Choice
	Words
}

// countSessions counts with the query that lists sessions.
func (s sessionRoutes) countSessions(ctx context.Context, in *countInput) (*body[Count], error) {
	f, err := in.Choice.filter(ctx, s.Server, in.Project, in.Words)
	if err != nil {
		return nil, err
	}
	asked := f.Source
	f.Source, f.Limit = string(ask.FromUser), 1
	page, err := s.opts.App.Catalog.List(ctx, f)
	if err != nil {
		return nil, err
	}
	c := Count{User: page.Total, Agent: page.Hidden[string(ask.FromAgent)], Helper: page.Hidden[string(ask.FromHelper)], Complete: page.Complete, Behind: page.Behind, Covered: page.Covered}
	c.Total = c.User + c.Agent + c.Helper
	if asked != "" {
		c.Source, c.Count = asked, new(int)
		*c.Count = c.countOf(asked)
		c.Total = *c.Count
	}
	return answer(c), nil
}

// facets counts sessions by the values that lists can filter by.
func (s sessionRoutes) facets(ctx context.Context, in *countInput) (*body[catalog.FacetPage], error) {
	f, err := in.Choice.filter(ctx, s.Server, in.Project, in.Words)
	if err != nil {
		return nil, err
	}
	page, err := s.opts.App.Catalog.Facets(ctx, f)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

type OneSession struct {
	InProject
	ID   string `path:"id" doc:"Session: UUID, its first characters, or agent-ID" example:"c9cf1a6e-0000-4000-8000-000000000000"`
	Root string `query:"root" doc:"Directory of the session's home, if several homes have it"`
}

func (s *Server) getSession(ctx context.Context, in *OneSession) (*body[catalog.Session], error) {
	session, err := s.session(ctx, in)
	if err != nil {
		return nil, err
	}
	return answer(session), nil
}

type childrenInput struct {
	OneSession
	Paging
}

func (s sessionRoutes) listChildren(ctx context.Context, in *childrenInput) (*body[catalog.Page], error) {
	parent, err := s.find(ctx, &in.OneSession, ask.Filter{})
	if err != nil {
		return nil, err
	}
	slice, err := in.slice(usualLimit)
	if err != nil {
		return nil, err
	}
	page, err := s.page(ctx, ask.Filter{
		Parent: parent.ID, In: parent.Root, Source: "all", Now: s.opts.Now(),
		Limit: slice.Limit, Offset: slice.Offset, Cursor: slice.Cursor,
	})
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

type recentInput struct {
	Choice
	Words
	Paging
}

func (s sessionRoutes) recentSessions(ctx context.Context, in *recentInput) (*body[catalog.Page], error) {
	slice, err := in.slice(recentLimit)
	if err != nil {
		return nil, err
	}
	f, err := in.Choice.filter(ctx, s.Server, everyProject, in.Words)
	if err != nil {
		return nil, err
	}
	f.Limit, f.Offset, f.Cursor = slice.Limit, slice.Offset, slice.Cursor
	page, err := s.page(ctx, f)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

// prices returns the price list of the user, or the one that this version comes with.
func (s *Server) prices(ctx context.Context) (*money.Prices, error) {
	if s.opts.Prices != nil {
		return s.opts.Prices, nil
	}
	return money.ReadPrices(ctx, "")
}
