// Package todos lists what sessions have to do: the todos of clients before 2.1 and the
// tasks of later ones, across all sessions of the homes.
package todos

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/stamp"
)

// Todos reads what sessions have to do.
type Todos struct {
	homes   *homes.Set
	catalog *catalog.Catalog
}

// New returns Todos. It reads nothing before it is asked.
func New(set *homes.Set, c *catalog.Catalog) *Todos { return &Todos{homes: set, catalog: c} }

// Filter chooses items. Its zero value is everything that is open.
type Filter struct {
	Projects []string // short names; nil: all
	Session  string   // id; empty: all
	Root     string   // directory of the session's home; empty: all
	Done     bool     // what is completed too
}

// Page is what sessions have to do.
type Page struct {
	Items    []Item        `json:"items"`    // most recently changed session first
	Total    int           `json:"total"`    // number of items
	Problems []ask.Problem `json:"problems"` // files that cannot be read: what they say is missing
	ask.Covered
}

// Item is one thing to do.
type Item struct {
	// Kind is todo for clients before 2.1, else task.
	Kind string `json:"kind"`
	// ID is the number of a task in its list; todos have none.
	ID string `json:"id,omitempty"`
	// Text is what is to do.
	Text string `json:"text"`
	// Status is pending, in_progress or completed, as the client wrote it.
	Status string `json:"status"`
	// Session is the id of the session; empty for the list of a team.
	Session string `json:"sessionId,omitempty"`
	// Title is the title of the session; empty where its transcript is gone.
	Title string `json:"title,omitempty"`
	// Project is the short name of the session's project.
	Project string `json:"project,omitempty"`
	// Agent is the id of the agent whose todo it is; empty for the session itself.
	Agent string `json:"agentId,omitempty"`
	// Team is the name of the team whose task it is.
	Team string `json:"team,omitempty"`
	// Owner is the agent that took a task.
	Owner string `json:"owner,omitempty"`
	// BlockedBy are the numbers of the tasks that it waits for.
	BlockedBy []string `json:"blockedBy,omitempty"`
	// Modified is when its file was last written.
	Modified stamp.Time `json:"modifiedAt,omitzero"`
	// Root is the directory of the home.
	Root string `json:"root"`
	// File is the path inside the home.
	File string `json:"file"`
}

// List lists what there is to do in every home.
func (t *Todos) List(ctx context.Context, f Filter) (Page, error) {
	page := Page{Items: []Item{}, Problems: []ask.Problem{}}
	for _, h := range t.homes.List {
		if f.Root != "" && f.Root != h.Store.Root() {
			continue
		}
		items, problems, err := inHome(h, f.Session)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, items...)
		for _, p := range problems {
			page.Problems = append(page.Problems, ask.Problem{Root: h.Store.Root(), Problem: p})
		}
	}
	page.Items = slices.DeleteFunc(page.Items, func(i Item) bool {
		return i.Status == "deleted" || !f.Done && i.Status == "completed"
	})
	covered, err := t.name(ctx, page.Items)
	if err != nil {
		return page, err
	}
	page.Covered = ask.NewCovered(covered)
	if f.Projects != nil {
		page.Items = slices.DeleteFunc(page.Items, func(i Item) bool { return !slices.Contains(f.Projects, i.Project) })
	}
	slices.SortStableFunc(page.Items, newestList(page.Items))
	page.Total = len(page.Items)
	return page, nil
}

// OpenOf counts what a session has to do: what is open, and all of it.
func (t *Todos) OpenOf(root, session string) (open, all int, err error) {
	for _, h := range t.homes.List {
		if h.Store.Root() != root {
			continue
		}
		items, _, err := inHome(h, session)
		if err != nil {
			return 0, 0, err
		}
		for _, i := range items {
			switch i.Status {
			case "deleted":
			case "completed":
				all++
			default:
				open, all = open+1, all+1
			}
		}
	}
	return open, all, nil
}

// inHome reads the items of one home, of one session or of all.
func inHome(h *homes.Home, session string) (items []Item, problems []sesskeep.Problem, err error) {
	todos, bad, err := claudehome.Todos(h.Store.Files(), sesskeep.SessionID(session))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	root := h.Store.Root()
	for _, list := range todos {
		for _, todo := range list.Items {
			i := Item{
				Kind: "todo", Text: todo.Content, Status: todo.Status, Session: string(list.Session),
				Modified: stamp.Time{Time: list.Modified}, Root: root, File: list.File,
			}
			if string(list.Agent) != i.Session {
				i.Agent = string(list.Agent)
			}
			items = append(items, i)
		}
	}
	tasks, worse, err := claudehome.Tasks(h.Store.Files(), session)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, list := range tasks {
		for _, task := range list.Tasks {
			items = append(items, Item{
				Kind: "task", ID: task.ID, Text: task.Subject, Status: task.Status, Session: string(list.Session), Team: list.Team,
				Owner: task.Owner, BlockedBy: task.BlockedBy, Modified: stamp.Time{Time: task.Modified}, Root: root, File: task.File,
			})
		}
	}
	return items, append(bad, worse...), nil
}

// name adds the titles and projects of the sessions, and returns how much they were found in.
func (t *Todos) name(ctx context.Context, items []Item) (ask.Coverage, error) {
	var ids []string
	for i := range items {
		if id := items[i].Session; id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return t.catalog.CoverageOfFiles(), nil
	}
	rows, covered, err := t.catalog.RowsCovered(ctx, ask.Filter{Sessions: ids, Source: ask.AllSources, Archived: ask.ArchivedToo})
	for i := range rows {
		s := catalog.Session{Row: rows[i]}
		for i := range items {
			if items[i].Session == s.ID && items[i].Root == s.Root {
				items[i].Title, items[i].Project = catalog.NameOf(&s), s.Project
			}
		}
	}
	return covered, err
}

// newestList orders lists by their last change, and leaves what is in one as it is.
func newestList(items []Item) func(a, b Item) int {
	type list struct{ root, session, agent, team string }
	of := func(i Item) list { return list{i.Root, i.Session, i.Agent, i.Team} }
	last := map[list]int64{}
	for _, i := range items {
		last[of(i)] = max(last[of(i)], i.Modified.UnixNano())
	}
	return func(a, b Item) int {
		return cmp.Or(cmp.Compare(last[of(b)], last[of(a)]), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Team, b.Team))
	}
}
