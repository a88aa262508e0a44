package pages

import (
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
)

// Scope is what lists of sessions are about. It is kept while pages come and go.
type Scope struct {
	Choose  func(*catalog.Snapshot) (*ask.Project, error) // asked once, then nil
	Project *ask.Project                                  // nil: all
	All     bool                                          // all, though there is a project
	Agents  bool                                          // agents too
	Sort    int                                           // index of app.Sorts
}

// Filter is the scope as a question.
func (s *Scope) Filter() ask.Filter {
	f := ask.Filter{Sort: ask.Sorts[s.Sort]}
	if s.Project != nil && !s.All {
		f.Project = s.Project.ID
	}
	if s.Agents {
		f.Source = "all"
	}
	return f
}
