package pages

import "sesskeep/internal/app"

// Scope is what lists of sessions are about. It is kept while pages come and go.
type Scope struct {
	Choose  func(*app.Catalog) (*app.Project, error) // asked once, then nil
	Project *app.Project                             // nil: all
	All     bool                                     // all, though there is a project
	Agents  bool                                     // agents too
	Sort    int                                      // index of app.Sorts
}

// Filter is the scope as a question.
func (s *Scope) Filter() app.Filter {
	f := app.Filter{Sort: app.Sorts[s.Sort]}
	if s.Project != nil && !s.All {
		f.Project = s.Project.ID
	}
	if s.Agents {
		f.Source = "all"
	}
	return f
}
