package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"sesskeep/internal/access"
	"sesskeep/internal/catalog"
)

const aboutProjects = "projects"

// projectRoutes are the operations that list projects.
type projectRoutes struct{ *Server }

func (s projectRoutes) register(api huma.API) {
	get(api, "/projects", routeInfo{
		id: "listProjects", sum: "List projects, most recently active first", tag: aboutProjects, role: access.Read,
		more: "Without a limit, lists all of them. sessionCount is the total of the list by the path with a dash for every slash, with source=all: projects that share that form count together. counts are those of the project alone.",
	}, s.listProjects)
	post(api, "/projects/refresh", routeInfo{
		id: "refreshProjects", sum: "Rescan all homes and list projects", tag: aboutProjects, role: access.Read,
	}, s.refreshProjects)
	get(api, "/projects/{project}", routeInfo{
		id: "getProject", sum: "Show a project", tag: aboutProjects, role: access.Read,
	}, s.getProject)
	get(api, "/projects/{project}/conversations", routeInfo{
		id: "listProjectConversations", sum: "List all conversations of a project", tag: aboutProjects, role: access.Read,
	}, s.projectConversations)
}

func (s projectRoutes) listProjects(ctx context.Context, in *struct{ Paging }) (*body[catalog.PricedProjectPage], error) {
	slice, err := in.sliceOrAll()
	if err != nil {
		return nil, err
	}
	catalog, err := s.opts.App.Catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	prices, err := s.prices(ctx)
	if err != nil {
		return nil, err
	}
	page, err := catalog.ListProjectsPriced(ctx, slice, prices, s.opts.Now())
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}

func (s projectRoutes) refreshProjects(ctx context.Context, _ *noInput) (*body[catalog.PricedProjectPage], error) {
	if err := s.opts.App.Index.Refresh(ctx); err != nil {
		return nil, err
	}
	return s.listProjects(ctx, &struct{ Paging }{})
}

func (s projectRoutes) getProject(ctx context.Context, in *InProject) (*body[catalog.OnePricedProject], error) {
	catalog, err := s.opts.App.Catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	found, err := catalog.ProjectNamed(in.Project)
	if err != nil {
		return nil, inPart(err, catalog.Coverage)
	}
	prices, err := s.prices(ctx)
	if err != nil {
		return nil, err
	}
	p, err := catalog.ProjectPriced(ctx, found.ID, prices, s.opts.Now())
	if err != nil {
		return nil, err
	}
	return answer(p), nil
}

type conversationsInput struct {
	InProject
	Paging
}

func (s projectRoutes) projectConversations(ctx context.Context, in *conversationsInput) (*body[catalog.ConversationPage], error) {
	slice, err := in.slice(usualLimit)
	if err != nil {
		return nil, err
	}
	snapshot, err := s.opts.App.Catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	found, err := snapshot.ProjectNamed(in.Project)
	if err != nil {
		return nil, inPart(err, snapshot.Coverage)
	}
	page, err := snapshot.Conversations(ctx, found.ID, slice)
	if err != nil {
		return nil, err
	}
	return answer(page), nil
}
