// Package catalog knows the sessions of the homes: which one an address means, lists and
// what they have in common, projects, searches, and what sessions cost. What it shows of
// a transcript is a Session. Every list and every count is a Filter over the rows of the
// index, so that two numbers shown to a user can never disagree.
package catalog

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/errcode"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/paging"
	"sesskeep/internal/reading"
)

// Options are what a Catalog is made of.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Trash   freshness.Trash // what was spent in sessions that lie there; nil: there is none
	Alive   claudehome.Alive
	Book    Book
	Workers int // files read at the same time; 0: one a processor
}

// Book knows what clients report to their status line.
type Book interface {
	// Window is the context window that the client of a session reported; 0: none.
	Window(root, session, model string) int64
	// Limits are those of the plans that homes are used with.
	Limits(roots []string) ([]ask.Limit, error)
}

// Catalog finds sessions, lists them and adds them up.
type Catalog struct {
	opts        Options
	homes       *homes.Set
	index       *freshness.Index
	transcripts reading.Pool
	slots       chan struct{} // one a processor, for searches

	Reports Reports

	// What was asked last, until the index changes.
	projects remembered[[]ask.Project]
	names    remembered[[]ask.Project] // without counts
}

// New makes a Catalog. It reads nothing before it is asked.
func New(o Options) *Catalog {
	c := &Catalog{opts: o, homes: o.Homes, index: o.Index, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	c.Reports.catalog, c.transcripts.Summaries = c, c.summaries
	return c
}

// Snapshot is the catalogue at one moment: it knows the projects there are.
type Snapshot struct {
	Projects []ask.Project // without their counts, most recently used first

	Coverage ask.Coverage // of the projects

	catalog *Catalog
	homes   []*homes.Home
}

// Coverage is how much an answer is made from now that comes from the index.
func (c *Catalog) Coverage() ask.Coverage { return c.index.Coverage() }

// CoverageOfFiles is how much an answer is made from that comes from the files of the
// homes and not from the index.
func (c *Catalog) CoverageOfFiles() ask.Coverage { return c.index.CoverageOfFiles() }

// Snapshot opens the index for lists, up to date.
func (c *Catalog) Snapshot(ctx context.Context) (*Snapshot, error) {
	s := &Snapshot{catalog: c, homes: c.homes.List}
	covered, err := c.index.AskCovered(ctx, true, func(x *index.Index) (err error) {
		roots := homes.Roots(s.homes)
		s.Projects, err = c.names.of(ctx, x, strings.Join(roots, "\x00"), func() ([]ask.Project, error) { return x.ProjectNames(ctx, roots) })
		return err
	})
	s.Coverage = covered
	return s, err
}

// Size counts all transcripts and their bytes, which takes longer than a page of a
// list.
func (c *Snapshot) Size(ctx context.Context) (files int, bytes int64, err error) {
	_, err = c.catalog.index.AskCovered(ctx, true, func(x *index.Index) (err error) {
		files, bytes, err = x.Size(ctx, homes.Roots(c.homes))
		return err
	})
	return files, bytes, err
}

// List finds the sessions that match. Where the filter says what time it is, it
// knows their states. A query that only lines can answer is searched for first. A
// cursor of another list and an unknown sort are [errcode.Invalid].
func (c *Catalog) List(ctx context.Context, f ask.Filter) (Page, error) {
	return c.list(ctx, c.homes.ForIndex(), f)
}

func (c *Catalog) list(ctx context.Context, homes []ask.Home, f ask.Filter) (page Page, err error) {
	f.Homes = homes
	if f.Query, err = c.placed(f.Query); err != nil {
		return page, err
	}
	listable := index.Listable(f.Query)
	covered, err := c.index.AskCovered(ctx, listable, func(x *index.Index) error {
		fill, err := c.stateFilter(ctx, x, &f)
		if err != nil {
			return err
		}
		var complete *bool
		if !listable {
			if complete, err = c.search(ctx, x, &f); err != nil {
				return err
			}
		}
		sessions := []Session{}
		f.Brief = f.Brief && !c.someUnread() // brief rows do not know their files
		found, err := x.ListEach(ctx, f, func(r *ask.Row, total int) {
			if len(sessions) == cap(sessions) { // they are large: copy them seldom
				sessions = slices.Grow(sessions, max(total, len(sessions)+50))
			}
			sessions = append(sessions, c.session(r))
			fill(&sessions[len(sessions)-1])
		})
		page = Page{Sessions: sessions, Total: found.Total, HasMore: found.HasMore, Next: found.Next, Hidden: found.Hidden, Complete: complete}
		return err
	})
	page.cover(covered)
	return page, err
}

// List is that of the Catalog.
func (c *Snapshot) List(ctx context.Context, f ask.Filter) (Page, error) {
	return c.catalog.list(ctx, homes.ForIndex(c.homes), f)
}

// StatedRows are the rows that match, each with its state if the filter says what time it
// is.
func (c *Catalog) StatedRows(ctx context.Context, f ask.Filter, give func(ask.Row, *ask.State)) error {
	f.Homes, f.Uncounted = c.homes.ForIndex(), true
	return c.index.Ask(ctx, true, func(x *index.Index) error {
		fill, err := c.stateFilter(ctx, x, &f)
		if err != nil {
			return err
		}
		page, err := x.List(ctx, f)
		for _, r := range page.Sessions {
			s := c.session(&r)
			fill(&s)
			give(r, s.State)
		}
		return err
	})
}

// Rows are those of the index that match.
func (c *Catalog) Rows(ctx context.Context, f ask.Filter) ([]ask.Row, error) {
	rows, _, err := c.RowsCovered(ctx, f)
	return rows, err
}

// RowsCovered is Rows, and returns how much the answer was made from.
func (c *Catalog) RowsCovered(ctx context.Context, f ask.Filter) ([]ask.Row, ask.Coverage, error) {
	f.Homes, f.Uncounted = c.homes.ForIndex(), true
	var page ask.Page
	covered, err := c.index.AskCovered(ctx, true, func(x *index.Index) (err error) {
		page, err = x.List(ctx, f)
		return err
	})
	return page.Sessions, covered, err
}

// Count returns how many sessions a filter chooses.
func (c *Catalog) Count(ctx context.Context, f ask.Filter) (n int, err error) {
	f.Homes = c.homes.ForIndex()
	err = c.index.Ask(ctx, true, func(x *index.Index) error {
		n, err = x.Count(ctx, f)
		return err
	})
	return n, err
}

// ProjectPage is a list of projects.
type ProjectPage struct {
	Projects []ask.Project `json:"projects"`
	Total    int           `json:"total"`
	HasMore  bool          `json:"hasMore"`
	Next     string        `json:"next,omitempty"`
	ask.Covered
}

// ListProjects lists projects, most recently used first. A cursor of another list
// is [errcode.Invalid].
func (c *Snapshot) ListProjects(ctx context.Context, s paging.Slice) (page ProjectPage, err error) {
	all, covered, err := c.projects(ctx)
	if err != nil {
		return page, err
	}
	page.Covered = ask.NewCovered(covered)
	page.Total = len(all)
	page.Projects, page.Next, err = paging.CutAfter(all, s, cursor.Hash("projects", homes.Roots(c.homes)), func(p *ask.Project) cursor.Cursor {
		return cursor.Cursor{Number: p.LastActivity.UnixMilli(), Text: p.ID, Key: p.Root}
	})
	page.HasMore = page.Next != ""
	return page, err
}

func (c *Snapshot) projects(ctx context.Context) (all []ask.Project, covered ask.Coverage, err error) {
	covered, err = c.catalog.index.AskCovered(ctx, true, func(x *index.Index) (err error) {
		roots := homes.Roots(c.homes)
		all, err = c.catalog.projects.of(ctx, x, strings.Join(roots, "\x00"), func() ([]ask.Project, error) { return x.Projects(ctx, roots) })
		return err
	})
	return slices.Clone(all), covered, err
}

// OneProject is a project with its counts.
type OneProject struct {
	ask.Project
	ask.Covered
}

// Project is a project with its counts, or [errcode.NoProject].
func (c *Snapshot) Project(ctx context.Context, id string) (OneProject, error) {
	all, covered, err := c.projects(ctx)
	if err != nil {
		return OneProject{}, err
	}
	for _, p := range all {
		if p.ID == id {
			return OneProject{p, ask.NewCovered(covered)}, nil
		}
	}
	return OneProject{}, errcode.ErrNoProject(id)
}

// ProjectNames returns what to call the projects of all homes, by their ids.
func (c *Catalog) ProjectNames(ctx context.Context) (names map[string]string, err error) {
	err = c.index.Ask(ctx, true, func(x *index.Index) error {
		all, err := x.ProjectNames(ctx, c.homes.Roots())
		names = ProjectNames(all)
		return err
	})
	return names, err
}

// ProjectNames is what to call projects, by their ids: the bare name where only one has
// it, else with as many parents as distinguish it, such as v2/app. A project whose path
// is unknown, or the same as that of another home's, is called by its id.
func ProjectNames(all []ask.Project) map[string]string {
	names := make(map[string]string, len(all))
	left := make([]*ask.Project, len(all))
	for i := range all {
		left[i] = &all[i]
	}
	for parts := 1; len(left) > 0; parts++ {
		often := map[string]int{}
		for _, p := range left {
			often[lastParts(p, parts)]++
		}
		left = slices.DeleteFunc(left, func(p *ask.Project) bool {
			name := lastParts(p, parts)
			switch {
			case name == "":
				names[p.ID] = p.ID
			case often[name] == 1:
				names[p.ID] = name
			default:
				return false
			}
			return true
		})
	}
	return names
}

// lastParts returns the last parts of a project's path, joined; "" if it has fewer. One part is
// the name of the project.
func lastParts(p *ask.Project, parts int) string {
	if parts == 1 {
		return p.Name
	}
	all := strings.Split(strings.Trim(filepath.ToSlash(p.Path), "/"), "/")
	if p.Path == "" || len(all) < parts {
		return ""
	}
	return strings.Join(all[len(all)-parts:], "/")
}

// Problems is the damage in all transcripts.
func (c *Snapshot) Problems(ctx context.Context) (list []ask.Problem, err error) {
	err = c.catalog.index.Ask(ctx, true, func(x *index.Index) (err error) {
		list, err = x.Problems(ctx, homes.Roots(c.homes))
		return err
	})
	return list, err
}

// Unknown counts what this version does not know.
func (c *Snapshot) Unknown(ctx context.Context) (list []sesskeep.Unfamiliar, err error) {
	err = c.catalog.index.Ask(ctx, true, func(x *index.Index) (err error) {
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
	case r.Unreadable != "":
		return unreadableTitle(r.Unreadable)
	}
	return Untitled(r.FileSize, r.MessageCount)
}

// UntitledTarget says why there is nothing to call a transcript by that was read.
func UntitledTarget(t Target, messages int) string {
	if why := WhyUnreadable(t.Store, t.Ref.File); why != "" {
		return unreadableTitle(why)
	}
	return Untitled(t.Ref.Size, messages)
}

func unreadableTitle(why string) string { return "(cannot be read: " + why + ")" }

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
