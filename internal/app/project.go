package app

import (
	"cmp"
	"slices"

	"sesskeep"
)

// Project is a working directory in a list.
type Project struct {
	ID           string `json:"id"` // short name
	Name         string `json:"name"`
	Path         string `json:"path"`
	DirName      string `json:"dirName"`
	Root         string `json:"root"`
	Repository   string `json:"repository,omitempty"` // of a worktree
	SessionCount int    `json:"sessionCount"`         // every row
	Counts       Counts `json:"counts"`
	LastActivity Stamp  `json:"lastActivity,omitzero"`
	LastUsed     Stamp  `json:"lastUsed,omitzero"`
	Size         int64  `json:"size"`
	Memory       bool   `json:"memory,omitempty"` // has notes the client keeps for itself
}

// Counts are rows by source.
type Counts struct {
	User   int `json:"user"`
	Agent  int `json:"agent"`
	Helper int `json:"helper"`
}

func (c *Counts) add(s Source) {
	switch s {
	case FromUser:
		c.User++
	case FromAgent:
		c.Agent++
	case FromHelper:
		c.Helper++
	}
}

// assign gives every row of a folder its project, and makes the projects. A
// folder with nothing but memory/ is a project too.
func (c *Catalog) assign(f folder, list []item) {
	cwds := make([][]string, len(list))
	for i := range list {
		cwds[i] = list[i].cwds
	}
	hints := f.home.hints
	if indexed := f.home.IndexedPath(f.Dir); indexed != "" {
		hints = append([]string{indexed}, hints...)
	}
	paths := sesskeep.AssignPaths(f.Dir, cwds, hints)
	families(list, paths)
	made := map[string]int{}
	for i := range list {
		if list[i].gone {
			continue
		}
		row := &list[i].row
		p := c.project(f, paths[i], made)
		row.ProjectPath, row.Project = p.Path, p.ID
		p.SessionCount++
		p.Counts.add(row.Source)
		p.Size += row.FileSize
		if row.LastActivityAt.After(p.LastActivity.Time) {
			p.LastActivity = row.LastActivityAt
		}
		if row.Source == FromUser && row.LastActivityAt.After(p.LastUsed.Time) {
			p.LastUsed = row.LastActivityAt
		}
	}
	if len(made) == 0 {
		path := ""
		if at := slices.IndexFunc(hints, f.Dir.Holds); at >= 0 {
			path = hints[at]
		}
		c.project(f, path, made)
	}
}

// families puts every agent into the project of its session: an agent can work
// in another directory than the session it belongs to.
func families(list []item, paths []string) {
	home := map[string]string{}
	for i := range list {
		if !list[i].row.IsAgent {
			home[list[i].row.ID] = paths[i]
		}
	}
	for i := range list {
		if path, ok := home[list[i].row.ParentSessionID]; ok && list[i].row.IsAgent {
			paths[i] = path
		}
	}
}

func (c *Catalog) project(f folder, path string, made map[string]int) *Project {
	if i, ok := made[path]; ok {
		return &c.Projects[i]
	}
	p := sesskeep.Project{Root: f.home.Root(), Dir: f.Dir, Path: path}
	repository, _ := p.Worktree()
	made[path] = len(c.Projects)
	c.Projects = append(c.Projects, Project{
		ID: p.Name(), Name: p.Base(), Path: path, DirName: string(f.Dir),
		Root: f.home.Root(), Repository: repository, Memory: f.Memory,
	})
	return &c.Projects[len(c.Projects)-1]
}

// ProjectPage is a list of projects.
type ProjectPage struct {
	Projects []Project `json:"projects"`
	Total    int       `json:"total"`
	HasMore  bool      `json:"hasMore"`
	Next     string    `json:"next,omitempty"`
}

// ListProjects lists projects, the one used last first.
func (c *Catalog) ListProjects(limit, offset int) ProjectPage {
	all := slices.Clone(c.Projects)
	slices.SortStableFunc(all, func(a, b Project) int {
		return cmp.Or(b.LastActivity.Compare(a.LastActivity.Time), cmp.Compare(a.ID, b.ID))
	})
	page, more, next := window(all, limit, offset)
	return ProjectPage{Projects: page, Total: len(all), HasMore: more, Next: next}
}
