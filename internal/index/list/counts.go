package list

import (
	"fmt"
	"sync"
)

// A list says how many rows match, which takes longer than to find the few on its
// page: all of them have to be read. Every commit changes the number in change_counter,
// so what was counted is remembered with it. The transaction that reads a page reads
// that number too, and counts only if it is another one: rows and counts are of one
// state all the same.

// ifCommitted stands before a table that is read only if the number is not the one
// that is given, and sinceCommit is its condition. As a condition of that table it would
// be evaluated for every row.
const (
	ifCommitted = "change_counter b CROSS JOIN "
	sinceCommit = "b.id = 1 AND b.n <> ?"
)

// commitKind stands for that number where rows are counted by source.
const commitKind = "commit"

// noCommit is a number that no commit has.
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

// cachedCounts is how many are remembered, and longKey how long the name of one may
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
		t.known = map[string]countsAt{} // to count again costs little
	}
	t.known[name] = one
}
