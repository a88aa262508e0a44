package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
)

// Caller says what may be asked about. The zero Caller may ask about everything.
type Caller struct {
	// Projects are the only projects that the caller may ask about, each with its worktrees: paths
	// or other names that FindProject resolves; nil: all.
	Projects []string
	// Dir narrows questions to the project that it lies in, with its repository; empty: it
	// does not.
	Dir string
}

// All reports whether the caller may ask about everything.
func (c *Caller) All() bool { return c.Projects == nil && c.Dir == "" }

// scope is what an answer is about.
type scope struct {
	projects []ask.Project // nil: all
	limited  bool
}

// ids are those of the projects; nil: all.
func (s *scope) ids() []string {
	if !s.limited {
		return nil
	}
	ids := make([]string, len(s.projects))
	for i := range s.projects {
		ids[i] = s.projects[i].ID
	}
	return ids
}

// empty reports whether nothing may be asked about.
func (s *scope) empty() bool { return s.limited && len(s.projects) == 0 }

// words says how many projects an answer covers. It does not name them: their names come from users.
func (s *scope) words() string {
	switch {
	case !s.limited:
		return "in all projects"
	case len(s.projects) == 1:
		return "in this project"
	}
	return "in these " + plural(len(s.projects), "project")
}

// scope finds the projects of a caller.
func (r *Recall) scope(ctx context.Context, who Caller) (scope, error) {
	if who.All() {
		return scope{}, nil
	}
	snap, err := r.Catalog.Snapshot(ctx)
	if err != nil {
		return scope{}, err
	}
	s := scope{limited: true}
	if who.Projects == nil {
		s.projects = projectsAt(snap, who.Dir, catalog.WholeRepository)
		return s, nil
	}
	for _, name := range who.Projects {
		found := projectsAt(snap, name, "")
		if p, err := snap.FindProject(name); found == nil && err == nil {
			found = snap.Scope(p, "").Projects
		}
		s.add(found)
	}
	if who.Dir == "" {
		return s, nil
	}
	inside := scope{}
	inside.add(projectsAt(snap, who.Dir, catalog.WholeRepository))
	s.projects = slices.DeleteFunc(s.projects, func(p ask.Project) bool { return !inside.has(p.ID) })
	return s, nil
}

// add adds projects that are not there yet.
func (s *scope) add(list []ask.Project) {
	for _, p := range list {
		if !s.has(p.ID) {
			s.projects = append(s.projects, p)
		}
	}
}

// has reports whether a project is in the scope.
func (s *scope) has(id string) bool {
	return slices.ContainsFunc(s.projects, func(p ask.Project) bool { return p.ID == id })
}

// projectsAt are the projects of a directory, in every home that has it.
func projectsAt(snap *catalog.Snapshot, dir string, b catalog.Breadth) (list []ask.Project) {
	at := snap.ProjectAt(dir)
	if at == nil {
		return nil
	}
	for i := range snap.Projects {
		if p := &snap.Projects[i]; p.Path == at.Path {
			list = append(list, snap.Scope(p, b).Projects...)
		}
	}
	return list
}

// The errors of addresses. They name nothing outside of the scope.
var (
	errNoSession = errcode.New(errcode.NotFound, errors.New("no such session in what may be asked about: list_sessions lists them"))
	errSeveral   = errcode.New(errcode.Ambiguous, errors.New("several have this address: use more characters of the ids"))
)

// stated removes the names of other sessions and projects from an error.
func stated(err error) error {
	switch errcode.Of(err) {
	case errcode.Ambiguous:
		return errSeveral
	case errcode.NotFound:
		return errcode.New(errcode.NotFound, errors.New("the session has no such message, branch or agent"))
	case errcode.NoHome:
		return errcode.New(errcode.NoHome, errors.New("the transcript is not there any more"))
	}
	return err
}

// find resolves an address within a scope, and returns the row of its session too.
func (r *Recall) find(ctx context.Context, s *scope, text string) (catalog.Target, catalog.Session, error) {
	t, row, err := r.resolve(ctx, s, text)
	return t, row, r.inPart(err)
}

// inPart says of what was not found that it may be in what was not read.
func (r *Recall) inPart(err error) error {
	c := r.Catalog.Coverage()
	if c.Complete || errcode.Of(err) != errcode.NotFound {
		return err
	}
	return errcode.New(errcode.NotFound, fmt.Errorf("%w; %s", err, lacksOf(c)))
}

func (r *Recall) resolve(ctx context.Context, s *scope, text string) (catalog.Target, catalog.Session, error) {
	if text == "" {
		return catalog.Target{}, catalog.Session{}, invalid("an address is needed, such as those in answers of list_sessions")
	}
	if s.empty() {
		return catalog.Target{}, catalog.Session{}, errNoSession
	}
	t, err := r.Catalog.Find(ctx, text)
	switch errcode.Of(err) {
	case "":
	case errcode.Ambiguous:
		return t, catalog.Session{}, errSeveral
	case errcode.NotFound:
		return t, catalog.Session{}, errNoSession
	default:
		return t, catalog.Session{}, err
	}
	row, err := r.rowOf(ctx, s, t)
	return t, row, err
}

// rowOf is the row of the session that a target belongs to, if it is in the scope.
func (r *Recall) rowOf(ctx context.Context, s *scope, t catalog.Target) (catalog.Session, error) {
	ids := []string{string(t.Store.Parent(t.Ref))}
	if t.Ref.Agent != "" {
		ids = append(ids, "agent-"+string(t.Ref.Agent))
	}
	page, err := r.Catalog.List(ctx, ask.Filter{
		Source: ask.AllSources, Projects: s.ids(), Archived: ask.ArchivedToo, Sessions: ids, Now: r.Now(), Uncounted: true,
	})
	if err != nil {
		return catalog.Session{}, err
	}
	at := slices.IndexFunc(page.Sessions, func(row catalog.Session) bool { return row.Root == t.Store.Root() && !row.IsAgent })
	if at < 0 {
		at = slices.IndexFunc(page.Sessions, func(row catalog.Session) bool { return row.Root == t.Store.Root() })
	}
	if at < 0 {
		return catalog.Session{}, errNoSession
	}
	row := page.Sessions[at]
	if s.limited && !s.has(row.Project) {
		return row, errNoSession
	}
	return row, nil
}
