package app

import (
	"context"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/cursor"
	"sesskeep/internal/errcode"
	"sesskeep/internal/follow"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
	"sesskeep/internal/paging"
)

// What lists show is made by the index; fronts know it by these names.
type (
	Row     = index.Row
	Filter  = index.Filter
	Project = index.Project
	Counts  = index.Counts
	Problem = index.Problem
	Stamp   = index.Stamp
	Source  = index.Source
	Started = index.Started
)

// The sources, and who starts sessions.
const (
	FromUser   = index.FromUser
	FromAgent  = index.FromAgent
	FromHelper = index.FromHelper
	FromTwin   = index.FromTwin
	ByPerson   = index.ByPerson
	ByProgram  = index.ByProgram
)

// Which of the archived sessions a list shows.
const (
	ArchivedOnly = index.ArchivedOnly
	ArchivedToo  = index.ArchivedToo
)

// Sorts are the words Filter.Sort takes.
var Sorts = index.Sorts

// Catalog is everything the transcripts of all homes tell.
type Catalog struct {
	Projects []Project // without their counts, the one used last first

	Fresh index.Freshness // of all this

	app   *App
	homes []*homes.Home
}

// Catalog opens the index for lists, up to date.
func (a *App) Catalog(ctx context.Context) (*Catalog, error) {
	c := &Catalog{app: a, homes: a.Homes.List}
	fresh, err := a.Index.AskFresh(ctx, true, func(x *index.Index) (err error) {
		c.Projects, err = x.ProjectNames(ctx, homes.Roots(c.homes))
		return err
	})
	c.Fresh = fresh
	return c, err
}

// Size counts all transcripts and their bytes, which takes longer than a page of a
// list.
func (c *Catalog) Size(ctx context.Context) (files int, bytes int64, err error) {
	_, err = c.app.Index.AskFresh(ctx, true, func(x *index.Index) (err error) {
		files, bytes, err = x.Size(ctx, homes.Roots(c.homes))
		return err
	})
	return files, bytes, err
}

// List finds the sessions that match. Where the filter says what time it is, it
// knows their states. A query that only lines can answer is searched for first, as
// long as its budget lasts. A cursor of another list and an unknown sort
// are [errcode.Invalid].
func (a *App) List(ctx context.Context, f Filter) (Page, error) {
	return a.list(ctx, a.Homes.ForIndex(), f)
}

func (a *App) list(ctx context.Context, homes []index.Home, f Filter) (page Page, err error) {
	f.Homes = homes
	if f.Query, err = a.placed(f.Query); err != nil {
		return page, err
	}
	listable := index.Listable(f.Query)
	fresh, err := a.Index.AskFresh(ctx, listable, func(x *index.Index) error {
		fill, err := a.stateFilter(ctx, x, &f)
		if err != nil {
			return err
		}
		var complete *bool
		if !listable {
			if complete, err = a.search(ctx, x, &f, f); err != nil {
				return err
			}
		}
		sessions := []Session{}
		found, err := x.ListEach(ctx, f, func(r *Row, total int) {
			if len(sessions) == cap(sessions) { // they are large: copy them seldom
				sessions = slices.Grow(sessions, max(total, len(sessions)+50))
			}
			sessions = append(sessions, a.session(r))
			fill(&sessions[len(sessions)-1])
		})
		page = Page{Sessions: sessions, Total: found.Total, HasMore: found.HasMore, Next: found.Next, Hidden: found.Hidden, Complete: complete}
		return err
	})
	page.Fresh = fresh
	return page, err
}

// List is that of the App, in the homes of the Catalog.
func (c *Catalog) List(ctx context.Context, f Filter) (Page, error) {
	return c.app.list(ctx, homes.ForIndex(c.homes), f)
}

// listed are the rows that match, with their states, for those who follow.
func (a *App) listed(ctx context.Context, f Filter) (list []follow.Listed, err error) {
	f.Homes, f.Uncounted = a.Homes.ForIndex(), true
	err = a.Index.Ask(ctx, true, func(x *index.Index) error {
		fill, err := a.stateFilter(ctx, x, &f)
		if err != nil {
			return err
		}
		page, err := x.List(ctx, f)
		list = make([]follow.Listed, len(page.Sessions))
		for i, r := range page.Sessions {
			s := a.session(&r)
			fill(&s)
			list[i].Row = r
			if s.State != nil {
				list[i].State = follow.LiveState{Word: live.Word(s.State.Word), Since: s.State.Since.Time, Why: s.State.Why, Waiting: s.State.Waiting}
			}
		}
		return err
	})
	return list, err
}

// rows are those of the index that match.
func (a *App) rows(ctx context.Context, f Filter) ([]Row, error) {
	f.Homes, f.Uncounted = a.Homes.ForIndex(), true
	page, err := index.Page{}, error(nil)
	err = a.Index.Ask(ctx, true, func(x *index.Index) error {
		page, err = x.List(ctx, f)
		return err
	})
	return page.Sessions, err
}

// count is how many of them there are.
func (a *App) count(ctx context.Context, f Filter) (n int, err error) {
	f.Homes = a.Homes.ForIndex()
	err = a.Index.Ask(ctx, true, func(x *index.Index) error {
		n, err = x.Count(ctx, f)
		return err
	})
	return n, err
}

// ProjectPage is a list of projects.
type ProjectPage struct {
	Projects []Project `json:"projects"`
	Total    int       `json:"total"`
	HasMore  bool      `json:"hasMore"`
	Next     string    `json:"next,omitempty"`

	Fresh index.Freshness `json:"-"`
}

// ListProjects lists projects, the one used last first. A cursor of another list
// is [errcode.Invalid].
func (c *Catalog) ListProjects(ctx context.Context, s paging.Slice) (page ProjectPage, err error) {
	all, fresh, err := c.projects(ctx)
	if err != nil {
		return page, err
	}
	page.Fresh = fresh
	page.Total = len(all)
	page.Projects, page.Next, err = paging.CutPlaced(all, s, cursor.Hash("projects", homes.Roots(c.homes)), func(p *Project) cursor.Cursor {
		return cursor.Cursor{Number: p.LastActivity.UnixMilli(), Text: p.ID, Key: p.Root}
	})
	page.HasMore = page.Next != ""
	return page, err
}

func (c *Catalog) projects(ctx context.Context) (all []Project, fresh index.Freshness, err error) {
	fresh, err = c.app.Index.AskFresh(ctx, true, func(x *index.Index) (err error) {
		all, err = x.Projects(ctx, homes.Roots(c.homes))
		return err
	})
	return all, fresh, err
}

// Project is a project with its counts, or [errcode.NoProject].
func (c *Catalog) Project(ctx context.Context, id string) (Project, error) {
	all, _, err := c.projects(ctx)
	if err != nil {
		return Project{}, err
	}
	for _, p := range all {
		if p.ID == id {
			return p, nil
		}
	}
	return Project{}, errcode.ErrNoProject(id)
}

// ProjectNames returns what to call the projects of all homes, by their ids.
func (a *App) ProjectNames(ctx context.Context) (names map[string]string, err error) {
	err = a.Index.Ask(ctx, true, func(x *index.Index) error {
		all, err := x.ProjectNames(ctx, a.Homes.Roots())
		names = ProjectNames(all)
		return err
	})
	return names, err
}

// ProjectNames is what to call projects, by their ids: the bare name where only
// one has it.
func ProjectNames(all []Project) map[string]string {
	often := map[string]int{}
	for i := range all {
		often[all[i].Name]++
	}
	names := make(map[string]string, len(all))
	for i := range all {
		names[all[i].ID] = all[i].ID
		if often[all[i].Name] == 1 {
			names[all[i].ID] = all[i].Name
		}
	}
	return names
}

// Problems is the damage in all transcripts.
func (c *Catalog) Problems(ctx context.Context) (list []Problem, err error) {
	err = c.app.Index.Ask(ctx, true, func(x *index.Index) (err error) {
		list, err = x.Problems(ctx, homes.Roots(c.homes))
		return err
	})
	return list, err
}

// Unknown counts what this version does not know.
func (c *Catalog) Unknown(ctx context.Context) (list []sesskeep.Unfamiliar, err error) {
	err = c.app.Index.Ask(ctx, true, func(x *index.Index) (err error) {
		list, err = x.Unknown(ctx, homes.Roots(c.homes))
		return err
	})
	return list, err
}

// NameOf is what to call a session by, or why there is nothing.
func NameOf(r *Session) string {
	switch {
	case r.Title != "":
		return r.Title
	case r.LastUserMessage != "":
		return r.LastUserMessage
	case r.ID == "":
		return "(its file is gone)"
	}
	return Untitled(r.FileSize, r.MessageCount)
}

// Untitled says why there is nothing to call a session by.
func Untitled(size int64, messages int) string {
	switch {
	case size == 0:
		return "(empty file)"
	case messages == 0:
		return "(no messages)"
	}
	return "(no prompt)"
}

// AgentCount is how many agents a session started, without the client's helpers,
// as projects are counted too.
func AgentCount(r *Session) (n int) {
	for _, id := range r.AgentSessions {
		if !sesskeep.AgentID(strings.TrimPrefix(id, "agent-")).Helper() {
			n++
		}
	}
	return n
}
