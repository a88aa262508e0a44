package app

import (
	"context"
	"slices"

	"sesskeep/internal/index"
)

// What the index tells of a search.
type (
	Search       = index.Search
	SearchPage   = index.SearchPage
	SearchResult = index.Result
	Hit          = index.Hit
)

// Search looks for text in all transcripts. Searches that run at the same time
// share the processors.
func (a *App) Search(ctx context.Context, s Search) (page SearchPage, err error) {
	s.Slots = a.slots
	budget := s.Budget
	if !s.Bare {
		s.Budget -= budget / namingPart
	}
	fresh, err := a.askFresh(ctx, false, func(x *index.Index) error {
		fill, err := a.stateFilter(ctx, x, &s.Filter)
		if err != nil {
			return err
		}
		page, err = x.Search(ctx, a.Homes(), s)
		for i := range page.Results {
			fill(&page.Results[i].Session)
			a.name(&page.Results[i].Session)
		}
		return err
	})
	if err != nil {
		return page, err
	}
	if !s.Bare {
		err = a.nameBranches(ctx, &page, budget)
	}
	page.Fresh = fresh
	page.Complete = page.Complete && fresh.Complete
	return page, err
}

// namingPart is which part of its budget a search leaves for naming branches.
const namingPart = 4

// nameBranches tells, for hits in sessions with several conversations, which of
// them are not on the active one. That is part of the budget: what would go
// beyond it, or cannot be read now, has no name.
func (a *App) nameBranches(ctx context.Context, page *SearchPage, budget int64) error {
	for i := range page.Results {
		r := &page.Results[i]
		home := a.homeOf(&r.Session)
		if r.Session.ConversationCount < 2 || home == nil {
			continue
		}
		cost := index.DecodeCost * r.Session.FileSize
		if budget > 0 && page.Spent+cost > budget {
			continue
		}
		page.Spent += cost
		select {
		case a.slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		a.nameHits(ctx, Target{Store: home.store, Ref: r.Session.Ref}, r.Hits)
		<-a.slots
	}
	return ctx.Err()
}

// nameHits names the conversations of hits in one session.
func (a *App) nameHits(ctx context.Context, t Target, hits []Hit) {
	s, err := a.Read(ctx, t)
	if err != nil {
		return
	}
	defer s.Close()
	active := s.PathTo(s.ActiveLeaf())
	for i := range hits {
		h := &hits[i]
		turn, err := s.Find(h.UUID)
		if h.AgentID != "" || err != nil || slices.Contains(active, turn) {
			continue
		}
		if n := s.Number(s.LeafBelow(turn)); n > 0 {
			h.Leaf = s.Transcript.Conversations[len(s.Transcript.Conversations)-n].Leaf
		}
	}
}
