package app

import (
	"context"
	"slices"

	"sesskeep/internal/index"
)

// What the index tells of a search.
type (
	Search = index.Search
	Hit    = index.Hit
)

// SearchResult is a session with the best of its hits.
type SearchResult struct {
	SessionID   string  `json:"sessionId"`
	Root        string  `json:"root"`
	ProjectPath string  `json:"projectPath"`
	Score       float64 `json:"score"`
	Timestamp   Stamp   `json:"timestamp,omitzero"` // of the latest hit
	Session     Session `json:"session"`
	Hits        []Hit   `json:"snippets"`
	HitCount    int     `json:"hitCount"`
}

// SearchPage is what a search found.
type SearchPage struct {
	Query    string         `json:"query"`
	Results  []SearchResult `json:"results"`
	Total    int            `json:"total"`    // sessions
	HitCount int            `json:"hitCount"` // lines, every copied one once
	HasMore  bool           `json:"hasMore"`
	Next     string         `json:"next,omitempty"`
	Complete bool           `json:"complete"` // everything was looked at
	Skipped  int64          `json:"skippedSize,omitempty"`
	TookMs   float64        `json:"durationMs"`
}

// Search looks for text in all transcripts. A cursor of another search is
// [CodeInvalid].
func (a *App) Search(ctx context.Context, s Search) (page SearchPage, err error) {
	err = a.ask(ctx, false, func(x *index.Index) error {
		fill, err := a.stateFilter(ctx, x, &s.Filter)
		if err != nil {
			return err
		}
		found, err := x.Search(ctx, a.Homes(), s)
		page = a.searchPage(&found)
		for i := range page.Results {
			fill(&page.Results[i].Session)
		}
		return err
	})
	if err != nil {
		return page, err
	}
	if !s.Bare {
		for i := range page.Results {
			a.nameBranches(ctx, &page.Results[i])
		}
	}
	page.Complete = page.Complete && a.upToDate()
	return page, nil
}

// searchPage is what the index found, as fronts show it.
func (a *App) searchPage(p *index.SearchPage) SearchPage {
	page := SearchPage{
		Query: p.Query, Results: []SearchResult{}, Total: p.Total, HitCount: p.HitCount, HasMore: p.HasMore, Next: p.Next,
		Complete: p.Complete, Skipped: p.Skipped, TookMs: float64(p.Took.Microseconds()) / 1000,
	}
	for i := range p.Results {
		r := &p.Results[i]
		page.Results = append(page.Results, SearchResult{
			SessionID: r.SessionID, Root: r.Root, ProjectPath: r.Session.ProjectPath, Score: r.Score, Timestamp: r.Timestamp,
			Session: a.session(&r.Session), Hits: r.Hits, HitCount: r.HitCount,
		})
	}
	return page
}

// nameBranches tells, for hits in a session with several conversations, which
// of them are not on the active one. What cannot be read now has no name.
func (a *App) nameBranches(ctx context.Context, r *SearchResult) {
	home := a.homeAt(r.Session.Root)
	if r.Session.ConversationCount < 2 || home == nil {
		return
	}
	s, err := a.Read(ctx, Target{Store: home.store, Ref: r.Session.Ref})
	if err != nil {
		return
	}
	defer s.Close()
	active := s.PathTo(s.ActiveLeaf())
	for i := range r.Hits {
		h := &r.Hits[i]
		turn, err := s.Find(h.UUID)
		if h.AgentID != "" || err != nil || slices.Contains(active, turn) {
			continue
		}
		if n := s.Number(s.LeafBelow(turn)); n > 0 {
			h.Leaf = s.Transcript.Conversations[len(s.Transcript.Conversations)-n].Leaf
		}
	}
}
