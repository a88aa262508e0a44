package api

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/paging"
	"sesskeep/internal/query"
)

// The lengths of pages.
const (
	usualLimit    = 50
	searchLimit   = 20
	recentLimit   = 10
	messagesLimit = 25
	maxLimit      = 500
)

// Paging are the parameters of every list.
type Paging struct {
	Limit  Number `query:"limit" doc:"Rows on a page, at most 500" example:"50"`
	Offset Number `query:"offset" doc:"Number of rows to skip" example:"0"`
	Cursor string `query:"cursor" doc:"The previous page's next, or a row offset"`
}

func (p *Paging) slice(usual int) (s paging.Slice, err error) {
	if s.Limit, err = limit(p.Limit, usual); err != nil {
		return s, err
	}
	s.Offset, err = number("offset", p.Offset, 0)
	s.Cursor = p.Cursor
	return s, err
}

// sliceOrAll returns the whole list unless the request asks for a page.
func (p *Paging) sliceOrAll() (paging.Slice, error) {
	if p.Limit == "" && p.Offset == "" && p.Cursor == "" {
		return paging.Slice{}, nil
	}
	return p.slice(usualLimit)
}

// Paged has the fields of a page of a list. Without paging parameters the page is the
// whole list.
type Paged struct {
	Total   int    `json:"total" doc:"Number of items on all pages"`
	HasMore bool   `json:"hasMore" doc:"True if there are more pages"`
	Next    string `json:"next,omitempty" doc:"Cursor of the next page"`
}

// paginate returns the requested page of a list, or all of it.
func paginate[T any](p *Paging, list string, all []T, key func(*T) string) (page []T, w Paged, err error) {
	s, err := p.sliceOrAll()
	if err != nil {
		return nil, w, err
	}
	return paginateSlice(s, list, all, key)
}

// paginateSlice returns a page of a list in memory.
func paginateSlice[T any](s paging.Slice, list string, all []T, key func(*T) string) (page []T, w Paged, err error) {
	w.Total = len(all)
	page, w.Next, err = paging.Cut(all, s, list, key)
	w.HasMore = w.Next != ""
	return page, w, err
}

// InProject is the project that a route names.
type InProject struct {
	Project string `path:"project" doc:"Project: short name, directory below projects/, path, or path with a dash for every slash" example:"-srv-app"`
}

// Choice are the parameters that say which sessions are meant. What has no text here is
// described by the table of fields, and so are parameters that only stand there.
type Choice struct {
	Source   string `query:"source" json:"source,omitempty"`
	State    string `query:"state" json:"state,omitempty"`
	Branch   string `query:"gitBranch" json:"gitBranch,omitempty"`
	Model    string `query:"model" json:"model,omitempty"`
	Since    string `query:"since" json:"since,omitempty" doc:"Active from then on: RFC 3339 or a date"`
	Until    string `query:"until" json:"until,omitempty" doc:"Active before then: RFC 3339 or a date"`
	MinSize  Number `query:"minSize" json:"minSize,omitempty" doc:"Bytes"`
	Parent   string `query:"parentSessionId" json:"parentSessionId,omitempty"`
	ForkedOf string `query:"forkedFrom" json:"forkedFrom,omitempty"`
	Tag      string `query:"tag" json:"tag,omitempty"`
	Starred  bool   `query:"starred" json:"starred,omitempty"`
	Archived bool   `query:"includeArchived" json:"includeArchived,omitempty" doc:"Archived ones too"`
	Only     bool   `query:"archivedOnly" json:"archivedOnly,omitempty" doc:"Archived ones alone"`
	Projects string `query:"project" json:"project,omitempty" doc:"Of all projects only these: any of their names, several with commas between"`
	Root     string `query:"root" json:"root,omitempty" doc:"The directory of one home, where there are several"`

	plain map[string]string // values of plain choices, by the name of the field
}

// Words has the parameters that select sessions in the language of searches.
type Words struct {
	Q   string `query:"q" json:"q,omitempty" doc:"Only sessions that match this search, themselves or in an agent; at most the latest 10000. complete reports whether the search read everything" example:"half line"`
	Has string `query:"has" json:"has,omitempty" doc:"Comma-separated; sessions have to have all of them: agents, branches, note, error, image, thinking, diff, plan, pr"`
}

// conditions parses them.
func (w *Words) conditions(f *ask.Filter) error {
	text := ""
	for word := range strings.SplitSeq(w.Has, ",") {
		if word != "" {
			text += " has:" + strconv.Quote(word)
		}
	}
	has, err := query.Parse(text, f.Now)
	if err != nil {
		return invalid("has", "%v", err)
	}
	q, err := query.Parse(w.Q, f.Now)
	if err != nil {
		return badQuery(err)
	}
	q.Filters = slices.Concat(q.Filters, has.Filters, f.Query.Filters)
	catalog.Demand(f, q)
	return nil
}

// filter converts the parameters to a filter for sessions of a project.
func (c *Choice) filter(ctx context.Context, s *Server, project string, words Words) (ask.Filter, error) {
	f := ask.Filter{
		Source: strings.ToLower(c.Source), Branch: c.Branch, Model: c.Model,
		Parent: strings.ToLower(c.Parent), Fork: strings.ToLower(c.ForkedOf), In: c.Root, Now: s.opts.Now(),
	}
	if err := c.check(&f); err != nil {
		return f, err
	}
	if err := words.conditions(&f); err != nil {
		return f, err
	}
	if project == everyProject && c.Projects != "" {
		project = c.Projects
	}
	var err error
	f.Projects, err = s.projectIDs(ctx, project)
	return f, err
}

// check parses the parameters that can be invalid.
func (c *Choice) check(f *ask.Filter) (err error) {
	for _, word := range strings.Split(f.Source, ",") {
		if word != "" && !slices.Contains(ask.SourceWords, word) {
			return invalid("source", "%q is none of %s", clip(word, 40), strings.Join(ask.SourceWords, ", "))
		}
	}
	if strings.Contains(","+f.Source+",", ","+ask.AllSources+",") {
		f.Source = ask.AllSources
	}
	if err := c.checkPlain(f); err != nil {
		return err
	}
	if c.State != "" {
		f.States = strings.Split(strings.NewReplacer("_", " ", "-", " ").Replace(c.State), ",")
		for _, word := range f.States {
			if !slices.Contains(ask.StateWords, word) {
				return invalid("state", "%q is none of %s", clip(word, 40), strings.Join(ask.StateWords, ", "))
			}
		}
	}
	if f.Since, err = parseTime("since", c.Since); err != nil {
		return err
	}
	if f.Until, err = parseTime("until", c.Until); err != nil {
		return err
	}
	switch {
	case c.Only:
		f.Archived = ask.ArchivedOnly
	case c.Archived:
		f.Archived = ask.ArchivedToo
	}
	if err := c.narrow(f); err != nil {
		return err
	}
	size, err := number("minSize", c.MinSize, 0)
	f.MinSize = int64(size)
	return err
}

// narrow adds the conditions that the search language can express.
func (c *Choice) narrow(f *ask.Filter) error {
	text := ""
	if c.Tag != "" {
		text = "tag:" + strconv.Quote(c.Tag)
	}
	if c.Starred {
		text += " is:starred"
	}
	q, err := query.Parse(text, f.Now)
	if err != nil {
		return invalid("tag", "%v", err)
	}
	catalog.Narrow(f, q)
	return nil
}

// parseTime parses a time parameter.
func parseTime(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, invalid(name, "%q is neither RFC 3339 nor a date", clip(text, 40))
}

// projectIDs returns the short names of the projects that a route names; nil means all.
func (s *Server) projectIDs(ctx context.Context, project string) ([]string, error) {
	if project == everyProject {
		return nil, nil
	}
	// A path can contain a comma.
	found, err := s.projects(ctx, project)
	if err != nil && strings.Contains(project, ",") {
		found, err = nil, nil
		for name := range strings.SplitSeq(project, ",") {
			more, e := s.projects(ctx, name)
			found, err = append(found, more...), errors.Join(err, e)
		}
	}
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(found))
	for i, p := range found {
		ids[i] = p.ID
	}
	return ids, err
}

// projects returns the projects with a name, at least one.
func (s *Server) projects(ctx context.Context, name string) ([]ask.Project, error) {
	catalog, err := s.opts.App.Catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	found, err := catalog.ProjectsNamed(name)
	return found, inPart(err, catalog.Coverage)
}

// project returns the one project with a name.
func (s *Server) project(ctx context.Context, name string) (ask.Project, error) {
	catalog, err := s.opts.App.Catalog.Snapshot(ctx)
	if err != nil {
		return ask.Project{}, err
	}
	found, err := catalog.ProjectNamed(name)
	return found, inPart(err, catalog.Coverage)
}
