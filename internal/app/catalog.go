package app

import (
	"context"

	"sesskeep"
	"sesskeep/internal/index"
)

// What lists show is made by the index; fronts know it by these names.
type (
	Row         = index.Row
	Filter      = index.Filter
	Page        = index.Page
	Project     = index.Project
	ProjectPage = index.ProjectPage
	Counts      = index.Counts
	Problem     = index.Problem
	Stamp       = index.Stamp
	Source      = index.Source
	Started     = index.Started
)

// The sources, and who starts sessions.
const (
	FromUser   = index.FromUser
	FromAgent  = index.FromAgent
	FromHelper = index.FromHelper
	ByPerson   = index.ByPerson
	ByProgram  = index.ByProgram
)

// Sorts are the words Filter.Sort takes.
var Sorts = index.Sorts

// Catalog is everything the transcripts of all homes tell.
type Catalog struct {
	Projects []Project // without their counts, the one used last first
	Files    int       // transcripts
	Bytes    int64

	index *index.Index
	roots []string
}

// Catalog brings the index up to date and opens it for lists.
func (a *App) Catalog(ctx context.Context) (*Catalog, error) {
	x, err := a.refreshed(ctx, true)
	if err != nil {
		return nil, err
	}
	c := &Catalog{index: x, roots: a.roots()}
	if c.Projects, err = x.ProjectNames(ctx, c.roots); err != nil {
		return nil, err
	}
	c.Files, c.Bytes, err = x.Size(ctx, c.roots)
	return c, err
}

// List finds the rows that match.
func (c *Catalog) List(ctx context.Context, f Filter) (Page, error) {
	f.Roots = c.roots
	return c.index.List(ctx, f)
}

// ListProjects lists projects, the one used last first.
func (c *Catalog) ListProjects(ctx context.Context, limit, offset int) (ProjectPage, error) {
	return c.index.Projects(ctx, c.roots, limit, offset)
}

// Project is a project with its counts.
func (c *Catalog) Project(ctx context.Context, id string) (Project, error) {
	page, err := c.index.Projects(ctx, c.roots, 0, 0)
	if err != nil {
		return Project{}, err
	}
	for _, p := range page.Projects {
		if p.ID == id {
			return p, nil
		}
	}
	return Project{}, &sesskeep.Error{Op: "find project", Name: id, Err: sesskeep.ErrNotFound}
}

// rows are all rows, newest first.
func (c *Catalog) rows(ctx context.Context) ([]Row, error) {
	page, err := c.List(ctx, Filter{Source: "all"})
	return page.Sessions, err
}

// Problems is the damage in all transcripts.
func (c *Catalog) Problems(ctx context.Context) ([]Problem, error) {
	return c.index.Problems(ctx, c.roots)
}

// Unknown counts what this version does not know.
func (c *Catalog) Unknown(ctx context.Context) ([]sesskeep.Unfamiliar, error) {
	return c.index.Unknown(ctx, c.roots)
}
