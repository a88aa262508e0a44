package search

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/query"
)

// fileCount is what a count needs of the lines of a file that match.
type fileCount struct {
	ids     []uint64 // of the lines that have a uuid: forks copy them
	unnamed int      // lines that have none
}

// counts reports whether lines need only be counted. What filters ask of a line
// has to be decoded, and so has what kind of text it is.
func (q *question) counts() bool {
	s := &q.search
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
	files, err := x.matchingFiles(ctx, run)
	sessions := map[sesskeep.Key]bool{}
	for _, f := range files {
		page.HitCount += f.lines
		sessions[f.session] = true
	}
	page.Total = len(sessions)
	return page, err
}

// findFiles finds the sessions, and the files of each, in which lines match.
func (x *Searcher) findFiles(ctx context.Context, homes []ask.Home, s search, now time.Time) (*finding, error) {
	s.Count = true
	run, err := x.scan(ctx, homes, s, now)
	if err != nil {
		return nil, err
	}
	files, err := x.matchingFiles(ctx, run)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(files, func(a, b matchingFile) int {
		return cmp.Or(cmp.Compare(b.in.active, a.in.active), a.in.compare(b.in))
	})
	f := &finding{q: run.q, skipped: run.skipped.Load(), spent: run.spent.Load()}
	at := map[sesskeep.Key]int{}
	for _, m := range files {
		n, known := at[m.session]
		if !known {
			n = len(f.results)
			at[m.session] = n
			f.results = append(f.results, sessionHits{key: m.session, root: m.in.store.Root()})
		}
		r := &f.results[n]
		r.hits = append(r.hits, lineHit{Hit: ask.Hit{Kind: ask.TextOther, File: m.in.name, AgentID: m.in.agent}, in: m.in})
		r.count += m.lines
		f.hits += m.lines
	}
	return f, nil
}

// matchingFile is how many lines of a file match that belong to a session.
type matchingFile struct {
	in      *target
	session sesskeep.Key
	lines   int
}

// matchingFiles adds up what the scanners found: a copied line of a home once, where it
// comes from.
func (x *Searcher) matchingFiles(ctx context.Context, run *searchRun) (list []matchingFile, err error) {
	hits := run.hits()
	counted := run.counted()
	named := x.newNamedSessions(run.q, hits)
	decoded := map[int64][]lineHit{} // summaries, which may be about other sessions, and what is damaged
	for _, h := range hits {
		decoded[h.file] = append(decoded[h.file], h.hit)
		if counted[h.file] == nil {
			counted[h.file] = &fileCount{}
		}
	}
	lines := 0
	for _, c := range counted {
		lines += len(c.ids)
	}
	seen := make(map[uint64]bool, lines)
	first := func(id uint64) bool {
		had := seen[id]
		seen[id] = true
		return !had
	}
	for _, file := range slices.SortedFunc(maps.Keys(counted), func(a, b int64) int { return originalFirst(run.files[a], run.files[b]) }) {
		t := run.files[file]
		lines := map[sesskeep.Key]int{t.key(): counted[file].unnamed}
		for _, id := range counted[file].ids {
			if first(id) {
				lines[t.key()]++
			}
		}
		for _, h := range decoded[file] {
			if h.UUID != "" && !first(t.lineID([]byte(h.UUID))) {
				continue
			}
			key, err := named.key(ctx, file, &h)
			if err != nil {
				return nil, err
			}
			lines[key]++
		}
		for _, key := range slices.SortedFunc(maps.Keys(lines), compareKeys) {
			if n := lines[key]; n > 0 {
				list = append(list, matchingFile{t, key, n})
			}
		}
	}
	return list, nil
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
	for offset, raw := range w.candidates(block, s) {
		if t.whole && !s.unindexed && !(t.named && maybeSummary(raw, s.plain)) {
			switch w.run.q.matcher.Judge(raw) {
			case query.MatchesNot:
				continue
			case query.Matches:
				if uuid, err := w.skim.UUIDOf(raw, s.plain, s.own); err == nil {
					w.countLine(s.file, t, uuid)
					if w.run.q.Once {
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
			if w.run.q.Once {
				return
			}
		}
	}
}

// skimLine reports whether the strings of a line match. One that has none does
// not, whatever is asked for.
func (w *scanner) skimLine(raw []byte) (matches bool, err error) {
	texts := 0
	matches = w.run.q.matcher.LineBytes(func(yield func([]byte) bool) {
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
