package search

import (
	"hash/maphash"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/query"
)

// question is a search with what is needed to match lines and to show them. It is all
// that stays of a search whose findings are remembered.
type question struct {
	search
	matcher *query.Matcher
	in      map[sesskeep.ValueKind]bool // kinds of text; empty: all
	now     time.Time
	homes   []ask.Home
	stores  map[string]*sesskeep.Store
	seeds   map[string]maphash.Seed // for the ids of lines, one a home
}

func newQuestion(homes []ask.Home, s search, now time.Time) *question {
	q := &question{
		search: s, matcher: s.Query.Matcher(), in: kindSet(s.In), now: now, homes: homes,
		stores: map[string]*sesskeep.Store{}, seeds: map[string]maphash.Seed{},
	}
	if !s.Filter.Now.IsZero() {
		q.now = s.Filter.Now
	}
	for _, h := range homes {
		root := h.Store.Root()
		q.stores[root], q.seeds[root] = h.Store, maphash.MakeSeed()
	}
	return q
}
