package search

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/row"
)

// mostMatches is how many rows a search can choose for a list.
const mostMatches = 10_000

// Matches finds the rows that have a line which matches, for Filter.Among: every
// transcript that has one, and every session whose agent does. It is not
// complete if something was not read, or if there are more rows than a list
// takes; those active last are given then. Lists, counts and facets of one query ask
// for the same, page by page, so what was found is remembered until the index changes.
func (x *Searcher) Matches(ctx context.Context, homes []ask.Home, wanted ask.Search) (keys []sesskeep.Key, complete bool, err error) {
	s := search{wanted}
	s.Count, s.Once = true, true
	commit, err := changeCounter(ctx, x.db)
	if err != nil {
		return nil, false, err
	}
	name := s.matchesName(homes)
	if keys, ok := x.matched.find(name, commit); ok {
		return keys, len(keys) <= mostMatches, nil
	}
	run, err := x.scan(ctx, homes, s, time.Now())
	if err != nil {
		return nil, false, err
	}
	if keys, err = x.matchedKeys(ctx, run); err != nil {
		return nil, false, err
	}
	complete = run.skipped.Load() == 0 && len(keys) <= mostMatches
	if keys = keys[:min(len(keys), mostMatches)]; complete {
		x.matched.keep(name, commit, keys)
	}
	return keys, complete, nil
}

// matchedKeys are the rows that a scan found something in, most recently active first.
func (x *Searcher) matchedKeys(ctx context.Context, run *searchRun) ([]sesskeep.Key, error) {
	hits := run.hits()
	named := x.newNamedSessions(run.q, hits)
	active := map[sesskeep.Key]int64{}
	add := func(key sesskeep.Key, file int64) { active[key] = max(active[key], run.files[file].active) }
	for i := range hits {
		h := &hits[i]
		session, err := named.key(ctx, h.file, &h.hit)
		if err != nil {
			return nil, err
		}
		add(session, h.file)
		if h.hit.about == "" {
			add(run.files[h.file].rowKey(), h.file)
		}
	}
	for file := range run.counted() {
		add(run.files[file].key(), file)
		add(run.files[file].rowKey(), file)
	}
	keys := make([]sesskeep.Key, 0, len(active))
	for key := range active {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b sesskeep.Key) int {
		return cmp.Or(cmp.Compare(active[b], active[a]), compareKeys(a, b))
	})
	return keys, nil
}

func compareKeys(a, b sesskeep.Key) int {
	return cmp.Or(cmp.Compare(a.Home, b.Home), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Agent, b.Agent))
}

// matchesName names what Matches finds. A query prints times as they were typed, such
// as 2d, so the times themselves are part of it.
func (s *search) matchesName(homes []ask.Home) string {
	var times []int64
	for _, f := range s.Query.Filters {
		times = append(times, f.From.UnixNano(), f.To.UnixNano())
	}
	return cursor.Hash("matches", s.list(), row.Roots(homes), times)
}

// cachedMatches is how many answers of Matches are remembered.
const cachedMatches = 8

// matchCache remembers rows by the query that found them, as long as the index does not
// change.
type matchCache struct {
	mu     sync.Mutex
	commit int64
	keys   map[string][]sesskeep.Key // never changed
}

func (c *matchCache) find(name string, commit int64) ([]sesskeep.Key, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys, ok := c.keys[name]
	return keys, ok && c.commit == commit
}

func (c *matchCache) keep(name string, commit int64, keys []sesskeep.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.commit != commit || len(c.keys) >= cachedMatches {
		c.commit, c.keys = commit, map[string][]sesskeep.Key{}
	}
	c.keys[name] = keys
}

// rowKey names the row of the transcript itself.
func (t *target) rowKey() sesskeep.Key { return row.KeyOf(row.HomeKey(t.store), t.id, t.parent) }
