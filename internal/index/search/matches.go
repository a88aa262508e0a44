package search

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/row"
)

// mostMatches is how many rows a search can choose for a list.
const mostMatches = 10_000

// Matches finds the rows that have a line which matches, for Filter.Among: every
// transcript that has one, and every session of which an agent does. It is not
// complete if something was not looked at, or if there are more rows than a list
// takes; those active last are given then.
func (x *Searcher) Matches(ctx context.Context, homes []ask.Home, wanted ask.Search) (keys []sesskeep.Key, complete bool, err error) {
	s := search{wanted}
	s.Count, s.Once = true, true
	run, err := x.scan(ctx, homes, s, time.Now())
	if err != nil {
		return nil, false, err
	}
	hits := run.hits()
	named := x.newNamedSessions(run, hits)
	active := map[sesskeep.Key]int64{}
	add := func(key sesskeep.Key, file int64) { active[key] = max(active[key], run.files[file].active) }
	for i := range hits {
		h := &hits[i]
		session, err := named.key(ctx, h.file, &h.hit)
		if err != nil {
			return nil, false, err
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
	keys = make([]sesskeep.Key, 0, len(active))
	for key := range active {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b sesskeep.Key) int {
		return cmp.Or(cmp.Compare(active[b], active[a]), cmp.Compare(a.Home, b.Home), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Agent, b.Agent))
	})
	complete = run.skipped.Load() == 0 && len(keys) <= mostMatches
	return keys[:min(len(keys), mostMatches)], complete, nil
}

// rowKey names the row of the transcript itself.
func (t *target) rowKey() sesskeep.Key { return row.KeyOf(row.HomeKey(t.store), t.id, t.parent) }
