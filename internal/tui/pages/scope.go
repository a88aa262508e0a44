package pages

import (
	"sesskeep/internal/catalog"
	"sesskeep/internal/index"
)

// Scope is what lists of sessions are about. It is kept while pages come and go.
type Scope struct {
	Choose  func(*catalog.Snapshot) (*index.Project, error) // asked once, then nil
	Project *index.Project                                  // nil: all
	All     bool                                            // all, though there is a project
	Agents  bool                                            // agents too
	Sort    int                                             // index of app.Sorts
}

// Filter is the scope as a question.
func (s *Scope) Filter() index.Filter {
	f := index.Filter{Sort: index.Sorts[s.Sort]}
	if s.Project != nil && !s.All {
		f.Project = s.Project.ID
	}
	if s.Agents {
		f.Source = "all"
	}
	return f
}
