package catalog

import (
	"slices"

	"sesskeep/internal/ask"
)

// Scope is what an answer is about: some projects, or everything.
type Scope struct {
	// Base is the project that was named, or the repository of it; nil: everything.
	Base *ask.Project
	// Projects are Base and then those of its worktrees that count; nil: all projects.
	Projects []ask.Project
}

// Breadth says how much belongs to a project that is named.
type Breadth string

// The breadths. Without one a project stands for itself and its worktrees.
const (
	OnlyWorktree    Breadth = "worktree"   // only what ran in this very directory
	WholeRepository Breadth = "repository" // the repository that it belongs to, with all worktrees
	Everything      Breadth = "all"        // every project
)

// Breadths are the words for them, from the narrowest on.
var Breadths = []string{string(OnlyWorktree), string(WholeRepository), string(Everything)}

// Scope returns what belongs to a project; nil and Everything mean all projects.
func (c *Snapshot) Scope(p *ask.Project, b Breadth) Scope {
	switch {
	case p == nil || b == Everything:
		return Scope{}
	case b == OnlyWorktree:
		return Scope{Base: p, Projects: []ask.Project{*p}}
	}
	root := p.Path
	if b == WholeRepository && p.Repository != "" {
		root = p.Repository
	}
	s := Scope{Base: p}
	for i := range c.Projects {
		switch other := &c.Projects[i]; {
		case other.Root != p.Root || root == "":
		case other.Path == root:
			s.Base, s.Projects = other, slices.Insert(s.Projects, 0, *other)
		case other.Repository == root:
			s.Projects = append(s.Projects, *other)
		}
	}
	if len(s.Projects) == 0 { // one without a path
		s.Projects = []ask.Project{*p}
	}
	return s
}

// IDs are the short names of the projects; nil: all there are.
func (s Scope) IDs() []string {
	var ids []string
	for i := range s.Projects {
		ids = append(ids, s.Projects[i].ID)
	}
	return ids
}

// Worktrees is how many projects count besides the base.
func (s Scope) Worktrees() int { return max(0, len(s.Projects)-1) }
