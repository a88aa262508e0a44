package tui

import "sesskeep/internal/app"

// scope is what lists of sessions are about. It is kept while pages come and go.
type scope struct {
	choose  func(*app.Catalog) (*app.Project, error) // asked once, then nil
	project *app.Project                             // nil: all
	all     bool                                     // all, though there is a project
	agents  bool                                     // agents too
	sort    int                                      // index of app.Sorts
}

// filter is the scope as a question.
func (s *scope) filter() app.Filter {
	f := app.Filter{Sort: app.Sorts[s.sort]}
	if s.project != nil && !s.all {
		f.Project = s.project.ID
	}
	if s.agents {
		f.Source = "all"
	}
	return f
}
