package search

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/query"
)

// fileCount are the lines of a file that match, as far as a count needs them.
type fileCount struct {
	ids     []uint64 // of the lines that have a uuid: forks copy them
	unnamed int      // lines that have none
}

// counts reports whether lines need only be counted. What filters ask of a line
// has to be decoded, and so has what kind of text it is.
func (r *searchRun) counts() bool {
	s := &r.search
	return s.Count && s.Raw == nil && len(s.Query.Text) > 0 && len(s.In) == 0 && !aboutLines(s.Query)
}

// count finds how many lines and sessions match, and nothing else about them.
// It counts what Search would find.
func (x *Searcher) count(ctx context.Context, homes []ask.Home, s search, now time.Time) (ask.SearchPage, error) {
	run, err := x.scan(ctx, homes, s, now)
	if err != nil {
		return ask.SearchPage{}, err
	}
	page := ask.SearchPage{Query: s.Query.String(), Results: []ask.Result{}, Skipped: run.skipped.Load(), Spent: run.spent.Load()}
	if s.Raw != nil {
		page.Query = string(s.Raw)
	}
	page.Complete = page.Skipped == 0
	if !run.counts() {
		f, err := x.collect(ctx, run, run.hits())
		if err == nil {
			page.HitCount, page.Total = f.hits, len(f.results)
		}
		return page, err
	}
	page.HitCount, page.Total, err = x.sum(ctx, run)
	return page, err
}

// sum adds up what the scanners counted: a copied line of a home once, where it
// comes from.
func (x *Searcher) sum(ctx context.Context, run *searchRun) (lines, sessions int, err error) {
	counted := run.counted()
	named := x.newNamedSessions(run, run.hits())
	decoded := map[int64][]lineHit{} // summaries, which may be about other sessions, and what is damaged
	for _, h := range run.hits() {
		decoded[h.file] = append(decoded[h.file], h.hit)
		if counted[h.file] == nil {
			counted[h.file] = &fileCount{}
		}
	}
	seen, found := map[uint64]bool{}, map[sesskeep.Key]bool{}
	first := func(id uint64) bool {
		had := seen[id]
		seen[id] = true
		return !had
	}
	for _, file := range slices.SortedFunc(maps.Keys(counted), func(a, b int64) int { return originalFirst(run.files[a], run.files[b]) }) {
		t, n := run.files[file], counted[file].unnamed
		for _, id := range counted[file].ids {
			if first(id) {
				n++
			}
		}
		if n > 0 {
			found[t.key()] = true
		}
		lines += n
		for _, h := range decoded[file] {
			if h.UUID != "" && !first(t.lineID([]byte(h.UUID))) {
				continue
			}
			lines++
			key, err := named.key(ctx, file, &h)
			if err != nil {
				return 0, 0, err
			}
			found[key] = true
		}
	}
	return lines, len(found), nil
}

// counted joins what the scanners counted.
func (r *searchRun) counted() map[int64]*fileCount {
	all := map[int64]*fileCount{}
	for _, w := range r.scanners {
		for file, c := range w.counted {
			if had := all[file]; had != nil {
				had.ids, had.unnamed = append(had.ids, c.ids...), had.unnamed+c.unnamed
			} else {
				all[file] = c
			}
		}
	}
	return all
}

// lineID is a line's uuid in eight bytes, another in every home.
func (t *target) lineID(uuid []byte) uint64 { return maphash.Bytes(t.seed, uuid) }

// count counts the matching lines of a piece. Most are decided by their raw
// bytes; the others are decoded once.
func (w *scanner) count(block []byte, s span, t *target) {
	for offset, raw := range w.run.matcher.Candidates(block) {
		if t.whole && !s.unindexed {
			switch w.run.matcher.Judge(raw) {
			case query.MatchesNot:
				continue
			case query.Matches:
				if uuid, err := w.skim.UUIDOf(raw); err == nil {
					w.countLine(s.file, t, uuid)
					if w.run.search.Once {
						return
					}
					continue
				}
			}
		}
		w.run.spent.Add(decodeCost * int64(len(raw)))
		matches, err := w.skimLine(raw)
		switch {
		case err != nil || w.skim.Kind == sesskeep.KindSummary:
			w.hits = append(w.hits, w.matches(raw, span{file: s.file, start: s.start + int64(offset)}, t)...)
		case matches:
			w.countLine(s.file, t, w.skim.UUID)
			if w.run.search.Once {
				return
			}
		}
	}
}

// skimLine reports whether the strings of a line match. One that has none does
// not, whatever is asked for.
func (w *scanner) skimLine(raw []byte) (matches bool, err error) {
	texts := 0
	matches = w.run.matcher.LineBytes(func(yield func([]byte) bool) {
		err = w.skim.Read(raw, func(text []byte) bool {
			texts++
			return yield(text)
		})
	})
	return matches && texts > 0, err
}

func (w *scanner) countLine(file int64, t *target, uuid []byte) {
	c := w.counted[file]
	if c == nil {
		c = &fileCount{}
		w.counted[file] = c
	}
	if len(uuid) == 0 {
		c.unnamed++
		return
	}
	c.ids = append(c.ids, t.lineID(uuid))
}
