// Package history finds what was typed at the prompt, in which project and when.
package history

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cursor"
	"sesskeep/internal/homes"
	"sesskeep/internal/paging"
	"sesskeep/internal/reading"
	"sesskeep/internal/regular"
	"sesskeep/internal/stamp"
)

// History is what was typed, in all homes.
type History struct {
	homes   *homes.Set
	catalog *catalog.Catalog
}

// New makes a History. It reads nothing before it is asked.
func New(set *homes.Set, c *catalog.Catalog) *History { return &History{homes: set, catalog: c} }

// PromptFilter chooses prompts out of the history. Its zero value is all of
// them that were typed in the project the user is in.
type PromptFilter struct {
	Text   string
	Pastes bool // also look for Text in what was pasted
	Full   bool // fill in Prompt.Full
	Since  time.Time
	Until  time.Time

	Where
	Slice paging.Slice
}

// list names what the filter lists, whenever that is.
func (f *PromptFilter) list(what string) string {
	return cursor.Hash(what, f.Text, f.Pastes, f.Where)
}

// Where names a project the way users do.
type Where struct {
	All     bool
	Project string // a name or a path; "." and empty are the one Dir lies in
	Dir     string // where the user is
}

// Prompt is something a person typed into the client.
type Prompt struct {
	Time    stamp.Time    `json:"timestamp,omitzero"`          // when the prompt was typed
	Text    string        `json:"text"`                        // the prompt with a placeholder for each paste
	Path    string        `json:"projectPath,omitempty"`       // working directory
	Session string        `json:"sessionId,omitempty"`         // id of the session; missing in entries of old clients
	Pastes  []PromptPaste `json:"pastes,omitempty"`            // what was pasted into the prompt
	Full    string        `json:"fullText,omitempty"`          // the prompt with its pastes filled in
	Missing int           `json:"missingPasteCount,omitempty"` // pastes that fullText could not fill in
	Root    string        `json:"root"`                        // directory of the home
	Suffix  string        `json:"-"`                           // what its session's address needs at the end
	Line    int           `json:"line,omitempty"`              // line number in history.jsonl; 0 if the file was read from its end

	entry claudehome.HistoryEntry
	home  *homes.Home
}

// PromptPaste describes a paste of a Prompt.
type PromptPaste struct {
	ID        int    `json:"id"`                  // number of the paste in its placeholder
	Kind      string `json:"type,omitempty"`      // text or image
	MediaType string `json:"mediaType,omitempty"` // media type of an image
	Name      string `json:"filename,omitempty"`  // file name of an image
}

// PromptPage is a list of prompts.
type PromptPage struct {
	Prompts []Prompt `json:"prompts"`         // prompts, newest first
	Total   int      `json:"total"`           // number of matching prompts that were read
	HasMore bool     `json:"hasMore"`         // true if there are more pages
	Next    string   `json:"next,omitempty"`  // cursor of the next page
	Scope   string   `json:"scope,omitempty"` // directory that the list is limited to; empty means all
	// Complete is true if the whole history was read. Otherwise Total counts only what was
	// read: a long history is read from its end until the page is full.
	Complete bool `json:"complete"`
	ask.Covered
}

// Prompts lists what was typed, newest first. A project that is not there is
// [errcode.NoProject], a cursor of another list [errcode.Invalid].
func (hs *History) Prompts(ctx context.Context, f PromptFilter) (PromptPage, error) {
	found, scope, whole, err := hs.prompts(ctx, f)
	if err != nil {
		return PromptPage{}, err
	}
	page := PromptPage{Total: len(found), Scope: scope, Complete: whole}
	covered := hs.catalog.CoverageOfFiles()
	if !whole {
		covered.StopSearch(0)
	}
	page.Covered = ask.NewCovered(covered)
	page.Prompts, page.Next, err = paging.CutAfter(found, f.Slice, f.list("prompts"), func(p *Prompt) cursor.Cursor {
		return cursor.Cursor{Number: p.Time.UnixMilli(), Key: p.Root, Rest: []int64{p.entry.Offset}}
	})
	if err != nil {
		return page, err
	}
	page.HasMore = page.Next != ""
	ids := make([]string, len(page.Prompts))
	for i := range page.Prompts {
		ids[i] = page.Prompts[i].Session
	}
	suffix, err := hs.catalog.Suffixes(ctx, ids)
	if err != nil {
		return page, err
	}
	for i := range page.Prompts {
		p := &page.Prompts[i]
		p.Suffix = suffix(p.Root, p.Session)
		if f.Full {
			var missing []claudehome.Paste
			p.Full, missing = claudehome.Expand(p.home.Store.Files(), p.entry)
			p.Missing = len(missing)
		}
		for _, paste := range p.entry.Pastes {
			p.Pastes = append(p.Pastes, PromptPaste{paste.ID, paste.Kind, paste.MediaType, paste.Name})
		}
	}
	return page, nil
}

// prompts finds the prompts that match in the histories of all homes. whole is false
// if it read only the end of a long history, because that filled the page.
func (hs *History) prompts(ctx context.Context, f PromptFilter) (found []Prompt, scope string, whole bool, err error) {
	pasts := make([]*past, len(hs.homes.List))
	typed := map[string]bool{}
	for i, h := range hs.homes.List {
		if pasts[i], err = readPast(h); err != nil {
			return nil, "", false, err
		}
		defer pasts[i].close()
		for _, e := range pasts[i].list {
			typed[e.Project] = e.Project != ""
		}
	}
	if scope, err = hs.scope(ctx, f.Where, typed); err != nil {
		return nil, "", false, err
	}
	q := claudehome.HistoryQuery{Text: f.Text, Pastes: f.Pastes, Project: scope, Since: f.Since, Until: f.Until}
	whole = true
	for _, p := range pasts {
		list, all, err := p.search(ctx, q, &f)
		if err != nil {
			return nil, "", false, err
		}
		found, whole = append(found, list...), whole && all
	}
	slices.SortStableFunc(found, func(x, y Prompt) int { return y.Time.Compare(x.Time.Time) })
	return found, scope, whole, nil
}

// fetchPastes reads the pastes that lie in files of their own, so that they
// can be searched. Those the client has cleaned up stay empty.
func fetchPastes(h *homes.Home, list claudehome.History) {
	for i := range list {
		for j := range list[i].Pastes {
			p := &list[i].Pastes[j]
			p.Content, _ = claudehome.ReadPaste(h.Store.Files(), *p)
		}
	}
}

// scope is the directory a question about what was typed is about, or empty
// for all. The history outlives transcripts, so that a project can be known
// to it alone: typed holds its paths.
func (hs *History) scope(ctx context.Context, w Where, typed map[string]bool) (string, error) {
	switch {
	case w.All:
		return "", nil
	case w.Project == "", w.Project == ".":
		dir := hs.knownDir(w.Dir, typed)
		if dir == "" && w.Project == "." {
			return w.Dir, nil
		}
		return dir, nil
	case isPath(w.Project):
		return w.path(), nil
	}
	path, err := hs.projectPath(ctx, w.Project)
	if !errors.Is(err, sesskeep.ErrNotFound) {
		return path, err
	}
	var same []string
	for dir := range typed {
		if (ask.ProjectID{Path: dir}).Base() == w.Project {
			same = append(same, dir)
		}
	}
	slices.Sort(same)
	switch len(same) {
	case 0:
		return "", err
	case 1:
		return same[0], nil
	}
	return "", &reading.Ambiguous{Address: w.Project, Candidates: same}
}

// knownDir is dir or the nearest directory above it that sessions were started
// or prompts typed in. It looks at names only: no transcript has to be read.
func (hs *History) knownDir(dir string, typed map[string]bool) string {
	for _, dir := range upward(dir) {
		key := sesskeep.DirName(dir)
		if typed[dir] || slices.ContainsFunc(hs.homes.List, func(h *homes.Home) bool { return len(h.Store.Folder(key).Refs) > 0 }) {
			return dir
		}
	}
	return ""
}

// upward lists dir and the directories above it.
func upward(dir string) (list []string) {
	for up := filepath.Dir(dir); up != dir; up = filepath.Dir(dir) {
		list = append(list, dir)
		dir = up
	}
	return append(list, dir)
}

// projectPath is the path of a project that is called by its name.
func (hs *History) projectPath(ctx context.Context, name string) (string, error) {
	c, err := hs.catalog.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	p, err := c.FindProject(name)
	if err != nil {
		return "", err
	}
	if p.Path == "" {
		return "", &sesskeep.Error{Op: "find path of project", Name: p.ID, Err: sesskeep.ErrNotFound}
	}
	return p.Path, nil
}

// isPath distinguishes a path from the name of a project, which has no separators.
func isPath(word string) bool { return strings.ContainsAny(word, `/\`) || word == ".." }

// path is the project as a whole path.
func (w Where) path() string {
	if filepath.IsAbs(w.Project) {
		return filepath.Clean(w.Project)
	}
	return filepath.Join(w.Dir, w.Project)
}

// ProjectStores opens the .claude directories that the projects in w have. If no
// project is named it opens the nearest one around the user's directory, whether
// sessions ran there or not.
func (hs *History) ProjectStores(ctx context.Context, w Where) ([]*homefs.Home, error) {
	if w.All {
		c, err := hs.catalog.Snapshot(ctx)
		if err != nil {
			return nil, err
		}
		var paths []string
		for _, p := range c.Projects {
			paths = append(paths, p.Path)
		}
		slices.Sort(paths)
		return hs.openProjects(slices.Compact(paths)), nil
	}
	if w.Project == "" || w.Project == "." {
		found := hs.openProjects(upward(w.Dir))
		return found[:min(1, len(found))], nil
	}
	path, err := w.path(), error(nil)
	if !isPath(w.Project) {
		path, err = hs.projectPath(ctx, w.Project)
	}
	return hs.openProjects([]string{path}), err
}

// openProjects leaves out the homes: sessions started beside one make it look
// like a project's.
func (hs *History) openProjects(paths []string) (list []*homefs.Home) {
	for _, path := range paths {
		s := hs.homes.Outside.Claude(path)
		if s != nil && !slices.ContainsFunc(hs.homes.List, func(h *homes.Home) bool { return regular.Same(h.Store.Root(), s.Root()) }) {
			list = append(list, s)
		}
	}
	return list
}

// ProjectUse describes how a directory was used.
type ProjectUse struct {
	Path     string     `json:"path"`             // working directory
	Name     string     `json:"name"`             // last element of the path
	Prompts  int        `json:"promptCount"`      // prompts typed in the directory
	Sessions int        `json:"sessionCount"`     // sessions that the history names
	First    stamp.Time `json:"firstAt,omitzero"` // time of the first prompt
	Last     stamp.Time `json:"lastAt,omitzero"`  // time of the last prompt
}

// ProjectUsePage is a list of directories.
type ProjectUsePage struct {
	Projects []ProjectUse `json:"projects"`       // directories, most recent prompt first
	Total    int          `json:"total"`          // number of directories on all pages
	HasMore  bool         `json:"hasMore"`        // true if there are more pages
	Next     string       `json:"next,omitempty"` // cursor of the next page
	ask.Covered
}

// RecentProjects lists the directories the prompts were typed in, most recently
// used first. Errors are those of Prompts.
func (hs *History) RecentProjects(ctx context.Context, f PromptFilter) (ProjectUsePage, error) {
	every := f
	every.Slice = paging.Slice{}
	found, _, _, err := hs.prompts(ctx, every)
	if err != nil {
		return ProjectUsePage{}, err
	}
	var all []ProjectUse
	for _, u := range history(found).Projects() {
		all = append(all, ProjectUse{
			Path: u.Path, Name: ask.ProjectID{Path: u.Path}.Base(), Prompts: u.Prompts,
			Sessions: u.Sessions, First: stamp.Time{Time: u.First}, Last: stamp.Time{Time: u.Last},
		})
	}
	page := ProjectUsePage{Total: len(all), Covered: ask.NewCovered(hs.catalog.CoverageOfFiles())}
	page.Projects, page.Next, err = paging.CutAfter(all, f.Slice, f.list("uses"), func(u *ProjectUse) cursor.Cursor {
		return cursor.Cursor{Number: u.Last.UnixMilli(), Text: u.Path}
	})
	page.HasMore = page.Next != ""
	return page, err
}

func history(list []Prompt) claudehome.History {
	h := make(claudehome.History, len(list))
	for i := range list {
		h[i] = list[i].entry
	}
	return h
}

// Day is what was typed on one day.
type Day struct {
	Day      string `json:"day"`          // date, such as 2026-11-15
	Prompts  int    `json:"promptCount"`  // prompts typed on that day
	Sessions int    `json:"sessionCount"` // sessions with a prompt on that day
	Projects int    `json:"projectCount"` // projects with a prompt on that day
}

// Timeline is a list of days, the first of them first.
type Timeline struct {
	Days    []Day  `json:"days"`            // days with prompts, oldest first
	Total   int    `json:"total"`           // number of days with prompts
	HasMore bool   `json:"hasMore"`         // true if there are earlier days
	Scope   string `json:"scope,omitempty"` // directory that the list is limited to; empty means all
	Most    int    `json:"maxPromptCount"`  // largest number of prompts on one of these days
	ask.Covered
}

// Timeline counts prompts by day in loc. A limit keeps the latest days. Errors are
// those of Prompts.
func (hs *History) Timeline(ctx context.Context, f PromptFilter, loc *time.Location) (Timeline, error) {
	every := f
	every.Slice = paging.Slice{}
	found, scope, _, err := hs.prompts(ctx, every)
	if err != nil {
		return Timeline{}, err
	}
	days := history(found).Timeline(loc)
	t := Timeline{Days: []Day{}, Total: len(days), Scope: scope, Covered: ask.NewCovered(hs.catalog.CoverageOfFiles())}
	if most := f.Slice.Limit; most > 0 && most < len(days) {
		days, t.HasMore = days[len(days)-most:], true
	}
	for _, d := range days {
		t.Days = append(t.Days, Day{d.Start.Format(time.DateOnly), d.Prompts, d.Sessions, d.Projects})
		t.Most = max(t.Most, d.Prompts)
	}
	return t, nil
}
