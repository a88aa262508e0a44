package catalog

import (
	"context"
	"slices"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// SearchResult is a session with the best of its hits.
type SearchResult struct {
	SessionID   string     `json:"sessionId"`
	Root        string     `json:"root"`
	ProjectPath string     `json:"projectPath"`
	Score       float64    `json:"score"`
	Timestamp   stamp.Time `json:"timestamp,omitzero"` // of the latest hit
	Session     Session    `json:"session"`
	Hits        []ask.Hit  `json:"snippets"`
	HitCount    int        `json:"hitCount"`
}

// SearchPage is what a search found.
type SearchPage struct {
	Query    string         `json:"query"`
	Results  []SearchResult `json:"results"`
	Total    int            `json:"total"`    // sessions
	HitCount int            `json:"hitCount"` // lines, every copied one once
	HasMore  bool           `json:"hasMore"`
	Next     string         `json:"next,omitempty"`
	Complete bool           `json:"complete"`         // everything was looked at
	Behind   bool           `json:"behind,omitempty"` // the index has not read everything: there may be more
	Skipped  int64          `json:"skippedSize,omitempty"`
	TookMs   float64        `json:"durationMs"`

	Spent int64 `json:"-"` // of the budget
	ask.Covered
}

// Search looks for text in all transcripts. Searches that run at the same time
// share the processors. A cursor of another search is [errcode.Invalid].
func (c *Catalog) Search(ctx context.Context, s ask.Search) (page SearchPage, err error) {
	asked := s.Query.String()
	if s.Query, err = c.placed(s.Query); err != nil {
		return page, err
	}
	s.Slots, s.Summarize = c.slots, view.CallLine
	covered, err := c.index.AskCovered(ctx, false, func(x *index.Index) error {
		fill, err := c.stateFilter(ctx, x, &s.Filter)
		if err != nil {
			return err
		}
		found, err := x.Search(ctx, c.homes.ForIndex(), s)
		page = c.searchPage(&found)
		for i := range page.Results {
			if !s.NoRows {
				fill(&page.Results[i].Session)
			}
		}
		return err
	})
	if err != nil {
		return page, err
	}
	if s.Raw == nil {
		page.Query = asked
	}
	page.Behind = !covered.Complete
	switch {
	case page.Complete:
	case s.Budget > 0:
		covered.StopSearch(page.Skipped)
	default: // only what cannot be read is left
		covered.Complete, covered.Skipped = false, page.Skipped
	}
	page.Covered = ask.NewCovered(covered)
	page.Complete = covered.Complete
	return page, err
}

// searchPage is what the index found, as fronts show it.
func (c *Catalog) searchPage(p *ask.SearchPage) SearchPage {
	page := SearchPage{
		Query: p.Query, Results: []SearchResult{}, Total: p.Total, HitCount: p.HitCount, HasMore: p.HasMore, Next: p.Next,
		Complete: p.Complete, Skipped: p.Skipped, TookMs: float64(p.Took.Microseconds()) / 1000, Spent: p.Spent,
	}
	for i := range p.Results {
		r := &p.Results[i]
		page.Results = append(page.Results, SearchResult{
			SessionID: r.SessionID(), Root: r.Root, ProjectPath: r.Session.ProjectPath, Score: r.Score, Timestamp: r.Timestamp,
			Session: c.session(&r.Session), Hits: r.Hits, HitCount: r.HitCount,
		})
	}
	return page
}

// placed puts the root in place of the home behind an id: session:3987@work.
func (c *Catalog) placed(q query.Q) (query.Q, error) {
	q.Filters = slices.Clone(q.Filters)
	for i := range q.Filters {
		f := &q.Filters[i]
		if f.Key != query.Session && f.Key != query.Parent {
			continue
		}
		var values []string
		for _, v := range f.Values {
			id, name, named := cutLast(v, "@")
			homes := c.homes.Named(name)
			switch {
			case !named:
				values = append(values, v)
			case len(homes) == 0:
				return q, c.NoHome(name)
			}
			for _, h := range homes {
				values = append(values, id+"@"+h.Store.Root())
			}
		}
		f.Values = values
	}
	return q, nil
}
