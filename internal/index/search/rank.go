package search

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/row"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
)

// weights say how much a hit reveals about the subject of a session: title,
// prompt, answer, thinking, what a tool was given, what it gave back.
var weights = map[ask.TextKind]float64{
	ask.TextTitle: 32, ask.TextPrompt: 16, ask.TextAnswer: 8,
	ask.TextThinking: 6, ask.TextInput: 4, ask.TextOutput: 2,
	ask.TextNote: 1.5, ask.TextOther: 1,
}

// halfLife is how long ago a session must have been active to count half.
const halfLife = 30 * 24 * time.Hour

// score is the weight of the text times how recent its session is. The age
// never takes more than nine tenths: what was said in a prompt a year ago is
// still found before what a tool printed today.
func score(kind ask.TextKind, active int64, now time.Time) float64 {
	age := max(0, now.Sub(time.UnixMilli(active)))
	recent := math.Exp2(-float64(age) / float64(halfLife))
	return weights[kind] * (0.1 + 0.9*recent)
}

// finding is all that a search found, in its order.
type finding struct {
	q       *question
	results []sessionHits
	hits    int   // lines, every copied one once
	skipped int64 // bytes not looked at
	spent   int64 // of the budget
}

// sessionHits are the best hits of a session, without texts.
type sessionHits struct {
	key    sesskeep.Key
	root   string
	score  float64
	latest stamp.Time
	hits   []lineHit
	count  int
}

func (f *finding) complete() bool { return f != nil && f.skipped == 0 }

// continueFrom puts first what was found before, in the order of then.
func (f *finding) continueFrom(old *finding) {
	if old == nil {
		return
	}
	was := map[sesskeep.Key]int{}
	for i, r := range old.results {
		was[r.key] = i - len(old.results)
	}
	slices.SortStableFunc(f.results, func(a, b sessionHits) int {
		return cmp.Compare(was[a.key], was[b.key])
	})
}

// collect groups hits by session, a copied line of a home once.
func (x *Searcher) collect(ctx context.Context, q *question, hits []found) (*finding, error) {
	hits = withoutCopies(hits)
	groups := map[sesskeep.Key]*sessionHits{}
	named := x.newNamedSessions(q, hits)
	for _, h := range hits {
		key, err := named.key(ctx, h.file, &h.hit)
		if err != nil {
			return nil, err
		}
		g := groups[key]
		if g == nil {
			g = &sessionHits{key: key, root: h.hit.in.store.Root()}
			groups[key] = g
		}
		g.hits = append(g.hits, h.hit)
		g.score = max(g.score, h.hit.Score)
		if h.hit.Time.After(g.latest.Time) {
			g.latest = h.hit.Time
		}
	}
	f := &finding{q: q, hits: len(hits)}
	for _, g := range groups {
		g.count = len(g.hits)
		// Many hits say more than one, but never as much as a better one.
		g.score *= 1 + 0.1*math.Log2(float64(g.count))
		g.hits = q.best(g.hits)
		f.results = append(f.results, *g)
	}
	slices.SortFunc(f.results, func(a, b sessionHits) int {
		later := cmp.Or(b.latest.Compare(a.latest.Time), cmp.Compare(ask.RowID(a.key), ask.RowID(b.key)), cmp.Compare(a.root, b.root))
		if q.Recent {
			return later
		}
		return cmp.Or(cmp.Compare(b.score, a.score), later)
	})
	return f, nil
}

// best are the hits of a session that are shown.
func (q *question) best(hits []lineHit) []lineHit {
	slices.SortStableFunc(hits, func(a, b lineHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Time.Compare(a.Time.Time), cmp.Compare(a.Line, b.Line), a.in.compare(b.in))
	})
	return slices.Clone(hits[:min(len(hits), q.shown())])
}

// makePage makes a page of what was found, with texts and rows.
func (x *Searcher) makePage(ctx context.Context, f *finding, s search) (ask.SearchPage, error) {
	page := ask.SearchPage{
		Query: s.Query.String(), Results: []ask.Result{}, Total: len(f.results), HitCount: f.hits,
		Skipped: f.skipped, Complete: f.complete(), Spent: f.spent,
	}
	if s.Raw != nil {
		page.Query = string(s.Raw)
	}
	from, to := min(s.Offset, len(f.results)), len(f.results)
	if s.Limit > 0 {
		to = min(to, from+s.Limit)
	}
	if to < len(f.results) {
		page.HasMore = true
		trail := rand.Text()[:10]
		x.found.Keep(trail, f, time.Now())
		page.Next = cursor.Cursor{List: s.list(), Offset: to, Trail: trail}.String()
	}
	var lines lineReader
	defer lines.close()
	for _, r := range f.results[from:to] {
		page.Results = append(page.Results, f.q.result(&lines, &r, &s))
	}
	if s.NoRows {
		return page, nil
	}
	err := x.addRows(ctx, &page, f.q)
	if err == nil && !s.Bare {
		err = x.addLeaves(ctx, &page)
	}
	return page, err
}

// result is a session as the page shows it, with texts unless the search is bare.
func (q *question) result(lines *lineReader, found *sessionHits, s *search) ask.Result {
	res := ask.Result{Key: found.key, Root: found.root, Score: found.score, Timestamp: found.latest, HitCount: found.count, Hits: make([]ask.Hit, len(found.hits))}
	for i, h := range found.hits { // copies: other pages may read the same hits
		if s.Bare {
			h.Text, h.Marks, h.Before, h.After = "", [][2]int{}, nil, nil
		} else {
			if !h.quoted {
				q.quote(lines, &h)
			}
			s.summarize(&h)
		}
		res.Hits[i] = h.Hit
	}
	return res
}

// summarize replaces the text of a call that no word of the query is in.
func (s *search) summarize(h *lineHit) {
	marked := slices.ContainsFunc(h.Marks, func(m [2]int) bool { return m[1] > 0 })
	if s.Summarize == nil || h.Kind != ask.TextInput || marked {
		return
	}
	e, err := readEntry(h)
	if err != nil {
		return
	}
	text := s.Summarize(e)
	if s.Hide != nil {
		text = s.Hide(text)
	}
	if text != "" {
		h.Text, h.Marks = text, [][2]int{}
	}
}

// withoutCopies keeps one hit of a line that forks and resumes have copied: the
// one in the session that was not forked, or was active first. Every home has its
// own: what is found in one is not lost because another has it too.
func withoutCopies(hits []found) []found {
	slices.SortFunc(hits, func(a, b found) int {
		return cmp.Or(originalFirst(a.hit.in, b.hit.in), cmp.Compare(a.hit.Line, b.hit.Line))
	})
	type line struct{ root, uuid string }
	seen := map[line]bool{}
	return slices.DeleteFunc(hits, func(h found) bool {
		if h.hit.UUID == "" {
			return false
		}
		this := line{h.hit.in.store.Root(), h.hit.UUID}
		copied := seen[this]
		seen[this] = true
		return copied
	})
}

// originalFirst orders files by which of them has a line first hand.
func originalFirst(a, b *target) int {
	return cmp.Or(db.CompareBool(a.fork, b.fork), cmp.Compare(a.active, b.active), a.compare(b))
}

// addRows gives every result the row of its session.
func (x *Searcher) addRows(ctx context.Context, page *ask.SearchPage, q *question) error {
	at := map[sesskeep.Key]*ask.Result{}
	var ids []string
	for i := range page.Results {
		res := &page.Results[i]
		at[res.Key] = res
		ids = append(ids, ask.RowID(res.Key))
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := row.ByID(ctx, x.db, q.homes, ids)
	for _, r := range rows {
		res := at[row.KeyOf(row.HomeKey(q.stores[r.Root]), r.ID, r.ParentSessionID)]
		if res != nil && res.Session.ID == "" { // the one last active comes first
			res.Session = r
		}
	}
	if err != nil {
		return err
	}
	for _, res := range at {
		if res.Session.ID == "" {
			res.Session.Root = res.Root
			if err := x.addProject(ctx, ask.RowID(res.Key), &res.Session); err != nil {
				return err
			}
		}
	}
	return nil
}

// addProject finds where a session was whose file is gone: its agents outlive it.
func (x *Searcher) addProject(ctx context.Context, session string, r *ask.Row) error {
	err := x.db.QueryRowContext(ctx, `SELECT p.short, p.path FROM row r JOIN project p ON p.id = r.project
		WHERE r.parent = ? AND r.root = (SELECT id FROM root WHERE path = ?) LIMIT 1`, session, r.Root).Scan(&r.Project, &r.ProjectPath)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// snippetSize is how many characters a snippet has, and lead how many of them
// stand before the first match.
const (
	snippetSize = 240
	lead        = 60
)

// snippet cuts the text around the first match and folds its white space.
// Marks count characters, because what shows them does.
func snippet(text string, spans []query.Span) (string, [][2]int) {
	if len(spans) == 0 {
		spans = []query.Span{{}}
	}
	from := back(text, spans[0].Start, lead)
	var b strings.Builder
	n := 0
	if from > 0 {
		b.WriteString("…")
		n++
	}
	marks := [][2]int{}
	put := func(s string) {
		for _, r := range s {
			if r == '\n' || r == '\r' || r == '\t' {
				r = ' '
			}
			b.WriteRune(r)
			n++
		}
	}
	at := from
	for _, sp := range spans {
		if n >= snippetSize || sp.Start < at {
			break
		}
		put(text[at:min(sp.Start, forward(text, at, snippetSize-n))])
		if n >= snippetSize {
			at = sp.Start
			break
		}
		start := n
		end := min(sp.End, forward(text, sp.Start, snippetSize))
		put(text[sp.Start:end])
		if n > start {
			marks = append(marks, [2]int{start, n - start})
		}
		at = end
	}
	if n < snippetSize && at < len(text) {
		end := forward(text, at, snippetSize-n)
		put(text[at:end])
		at = end
	}
	if at < len(text) {
		b.WriteString("…")
	}
	return b.String(), marks
}

// inLines is the snippet of the line that has the first match, and up to n lines
// before and after it.
func inLines(text string, spans []query.Span, n int) (line string, marks [][2]int, before, after []string) {
	from := strings.LastIndexByte(text[:spans[0].Start], '\n') + 1
	to := len(text)
	if i := strings.IndexByte(text[spans[0].Start:], '\n'); i >= 0 {
		to = spans[0].Start + i
	}
	var here []query.Span
	for _, s := range spans {
		if s.Start < to {
			here = append(here, query.Span{Start: s.Start - from, End: min(s.End, to) - from})
		}
	}
	line, marks = snippet(text[from:to], here)
	if from > 0 {
		lines := strings.Split(text[:from-1], "\n")
		before = shorten(lines[max(0, len(lines)-n):])
	}
	if to < len(text) {
		lines := strings.SplitN(text[to+1:], "\n", n+1)
		after = shorten(lines[:min(n, len(lines))])
	}
	return line, marks, before, after
}

func shorten(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[:forward(l, 0, snippetSize)]
	}
	return out
}

// back goes n characters back from a place, forward n characters on.
func back(s string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}

func forward(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}
