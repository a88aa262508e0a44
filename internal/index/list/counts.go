package list

import (
	"fmt"
	"sync"
)

// A list tells how many rows match, which takes longer than to find the few on its
// page: all of them have to be looked at. Every commit changes the beat of an index,
// so what was counted is remembered with it. The transaction that reads a page reads
// the beat too, and counts only if that is another one: rows and counts are of one
// state all the same.

// ifCommitted stands before a table that is looked at only if the beat is not the one
// that is given, and otherBeat is its condition. As one of the table alone it would be
// asked of every row.
const (
	ifCommitted = "beat b CROSS JOIN "
	sinceCommit = "b.id = 1 AND b.n <> ?"
)

// commitKind stands for the beat where rows are counted by source.
const commitKind = "beat"

// noCommit is none that an index has.
const noCommit = -1

// countCache are counts of rows, by the statement that counts them.
type countCache struct {
	mu    sync.Mutex
	known map[string]countsAt
}

type countsAt struct {
	commit int
	counts map[string]int // never changed
}

// cachedCounts is how many are remembered, and longTally how long the name of one may
// be: a filter can have thousands of values.
const (
	cachedCounts = 256
	longKey      = 8 << 10
)

// cacheKey names what a statement counts; empty: it is not remembered.
func cacheKey(query string, args []any) string {
	name := query
	for _, a := range args {
		if text, ok := a.(string); ok && len(text) > longKey {
			return ""
		}
		name += fmt.Sprintf("\x00%v", a)
		if len(name) > longKey {
			return ""
		}
	}
	return name
}

func (t *countCache) find(name string) countsAt {
	t.mu.Lock()
	defer t.mu.Unlock()
	if one, ok := t.known[name]; ok && name != "" {
		return one
	}
	return countsAt{commit: noCommit}
}

func (t *countCache) keep(name string, one countsAt) {
	if name == "" || one.commit == noCommit {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) >= cachedCounts {
		t.known = map[string]countsAt{} // to count anew costs little
	}
	t.known[name] = one
}
