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
	in      map[ask.TextKind]bool // kinds of text; empty: all
	now     time.Time
	homes   []ask.Home
	stores  map[string]*sesskeep.Store
	seeds   map[string]maphash.Seed // for the ids of lines, one a home
	tests   []callTest
	testOf  []int // which of them a filter is in: see callTests
}

func newQuestion(homes []ask.Home, s search, now time.Time) *question {
	q := &question{
		search: s, matcher: s.Query.Matcher(), in: kindSet(s.In), now: now, homes: homes,
		stores: map[string]*sesskeep.Store{}, seeds: map[string]maphash.Seed{},
	}
	q.tests, q.testOf = callTests(s.Query)
	if !s.Filter.Now.IsZero() {
		q.now = s.Filter.Now
	}
	for _, h := range homes {
		root := h.Store.Root()
		q.stores[root], q.seeds[root] = h.Store, maphash.MakeSeed()
	}
	return q
}

// quotesAtOnce reports whether hits get their texts when they are found: most of the few
// hits of a page are shown, and their lines need not be read again. To hide something of a text takes
// longer, so that it is done for what is shown.
func (q *question) quotesAtOnce() bool {
	return !q.Bare && !q.Count && q.Budget > 0 && q.Limit > 0 && q.Hide == nil
}

// bestValue tests the strings of a line and gives which of those that match says
// most: its number, and its kind. Without a clause that marks something it is what was
// said, and not an id or another note beside it. What is marked is copied to text, if hits
// are quoted at once.
func (q *question) bestValue(e *sesskeep.Entry, text *[]byte) (value int, kind ask.TextKind, ok bool) {
	trial := q.matcher.NewTrial()
	best, weight := -1, -1.0
	said, n := -1, 0
	var saidKind, first ask.TextKind
	*text = (*text)[:0]
	for k, value := range texts(e) {
		if len(q.in) > 0 && !q.in[k] {
			continue
		}
		if n == 0 {
			first = k
		}
		if k != ask.TextOther && (said < 0 || saidKind == ask.TextNote && k != ask.TextNote) {
			said, saidKind = n, k
		}
		if !trial.Decided() {
			trial.Add(value)
		}
		if w := weights[k]; w > weight && q.matcher.Marks(value) {
			best, weight, kind = n, w, k
			if q.quotesAtOnce() {
				*text = append((*text)[:0], value...)
			}
		}
		n++
	}
	switch {
	case n == 0 || !trial.Matches():
		return 0, "", false
	case best >= 0:
		return best, kind, true
	case said >= 0:
		return said, saidKind, true
	}
	return 0, first, true
}
