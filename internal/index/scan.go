package index

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"hash/maphash"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/query"
	"sesskeep/internal/stamp"
)

// searchRun is one search under way.
type searchRun struct {
	search  search
	matcher *query.Matcher
	in      map[sesskeep.ValueKind]bool
	now     time.Time
	homes   []ask.Home
	stores  map[string]*sesskeep.Store
	seeds   map[string]maphash.Seed // for the ids of lines, one a home

	reading func(ctx context.Context, ask func(tx *sql.Tx) error) error // the index
	feed    feed
	files   map[int64]*target     // of one moment, and not for scanners
	given   map[spot]bool         // what they were given before that
	behind  func() (int64, error) // how many bytes lie in files that were never asked for; nil: none

	spent    atomic.Int64 // of the budget
	skipped  atomic.Int64
	mu       sync.Mutex
	sessions map[sesskeep.Key]int // hits, by session
	alone    bool                 // see noOthers
	settled  map[int64]bool       // files that have one, where one is enough
	scanners []*scanner
}

func newSearchRun(homes []ask.Home, s search, now time.Time) *searchRun {
	r := &searchRun{
		search: s, matcher: s.Query.Matcher(), in: kindSet(s.In), now: now, homes: homes,
		stores: map[string]*sesskeep.Store{}, seeds: map[string]maphash.Seed{}, sessions: map[sesskeep.Key]int{}, settled: map[int64]bool{}, given: map[spot]bool{},
	}
	r.feed.run = r
	if !s.Filter.Now.IsZero() {
		r.now = s.Filter.Now
	}
	for _, h := range homes {
		root := h.Store.Root()
		r.stores[root], r.seeds[root] = h.Store, maphash.MakeSeed()
	}
	return r
}

// hits are what all scanners found.
func (r *searchRun) hits() (all []found) {
	for _, w := range r.scanners {
		all = append(all, w.hits...)
	}
	return all
}

// rest gives back what was needed for reading. What was found is remembered for a
// while, of many searches, and to show it takes no more than what was asked for.
func (r *searchRun) rest() {
	r.feed, r.behind, r.reading = feed{}, nil, nil
	r.files, r.given, r.sessions, r.settled, r.scanners = nil, nil, nil, nil, nil
}

// decodeCost is how many bytes could be looked through in the time it takes to
// decode one.
const decodeCost = 10

// admit waits for a slot, and reports false if ctx ends first.
func (r *searchRun) admit(ctx context.Context) bool {
	if r.search.Slots == nil {
		return true
	}
	select {
	case r.search.Slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (r *searchRun) leave() {
	if r.search.Slots != nil {
		<-r.search.Slots
	}
}

// enough reports whether what was found will do.
func (r *searchRun) enough() bool {
	s := &r.search
	if s.Budget <= 0 || r.spent.Load() < s.Budget {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.Hasty || r.isFull()
}

// isFull reports whether there are sessions for the page, and one more.
func (r *searchRun) isFull() bool {
	return r.search.Limit > 0 && len(r.sessions) > max(0, r.search.Offset)+r.search.Limit
}

// wantsOthers reports whether sessions without hits come before those that have as
// many as are shown: until the page is full, or there are no others.
func (r *searchRun) wantsOthers() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.search.Budget > 0 && !r.alone && !r.isFull()
}

// noOthers says that no session is left that nothing was read of.
func (r *searchRun) noOthers() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alone = true
}

// missing is how many hits a session lacks of those that are shown, while others are
// wanted; else there is no end to what it lacks.
func (r *searchRun) missing(t *target) int {
	if !r.wantsOthers() {
		return math.MaxInt
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(0, r.search.shown()-r.sessions[t.key()])
}

// note counts what was found in a piece of a file.
func (r *searchRun) note(file int64, t *target, hits int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions[t.key()] += hits
	if r.search.Once {
		r.settled[file] = true
	}
}

// isSettled reports whether nothing more of a file is wanted.
func (r *searchRun) isSettled(file int64) bool {
	if !r.search.Once {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.settled[file]
}

// found is a hit and the file it is in.
type found struct {
	file int64
	hit  lineHit
}

// scan reads on all processors, in order, until it is enough.
func (r *searchRun) scan(ctx context.Context) error {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		w := &scanner{run: r}
		if r.counts() {
			w.counted = map[int64]*fileCount{}
		}
		r.scanners = append(r.scanners, w)
		wg.Go(func() {
			defer w.close()
			for ctx.Err() == nil {
				next, ok := r.feed.next()
				if !ok {
					return
				}
				w.turn(ctx, next)
			}
		})
	}
	wg.Wait()
	r.skipped.Add(r.feed.left())
	if r.feed.more != nil {
		n, err := r.behind()
		r.skipped.Add(n)
		r.feed.failed = errors.Join(r.feed.failed, err)
	}
	return cmp.Or(ctx.Err(), r.feed.failed)
}

// turn reads the pieces of a file until it is enough. The first one is read in any
// case: others may have found enough since it was given out, but what was active last
// must not be what is missing.
func (w *scanner) turn(ctx context.Context, next work) {
	r := w.run
	for first := true; len(next.spans) > 0; first = false {
		s := next.spans[0]
		switch {
		case r.isSettled(next.file):
			return
		case !first && r.enough():
			for _, s := range next.spans {
				r.skipped.Add(s.length)
			}
			return
		case r.missing(next.of) == 0:
			r.feed.putOff(next)
			return
		case !r.admit(ctx):
			return
		}
		// A file that went away since is no reason to fail, but the answer is not
		// complete.
		rest, err := w.span(s, next.of)
		r.leave()
		if err != nil {
			r.skipped.Add(s.length)
		}
		if next.spans = next.spans[1:]; rest.length > 0 {
			next.spans = append([]span{rest}, next.spans...)
		}
	}
}

// scanner reads pieces of files and collects what matches.
type scanner struct {
	run  *searchRun
	buf  []byte
	hits []found

	counted map[int64]*fileCount // nil: hits are wanted
	skim    sesskeep.Skim

	list []candidate // of the piece that is read

	open *target
	file sesskeep.File
}

func (w *scanner) close() {
	if w.file != nil {
		w.file.Close()
		w.file = nil
	}
}

// span reads a piece, and returns what it left of its beginning.
func (w *scanner) span(s span, t *target) (rest span, err error) {
	if t.output != nil {
		return rest, w.output(s, t)
	}
	if w.file == nil || w.open != t {
		w.close()
		f, err := t.store.Open(t.name)
		if err != nil {
			return rest, err
		}
		w.file, w.open = f, t
	}
	if int64(cap(w.buf)) < s.length {
		w.buf = make([]byte, s.length)
	}
	w.buf = w.buf[:s.length]
	n, err := w.file.ReadAt(w.buf, s.start)
	if n == 0 && err != nil {
		return rest, err
	}
	had := len(w.hits)
	if w.counted != nil {
		w.count(w.buf[:n], s, t)
	} else {
		rest = w.lines(w.buf[:n], s, t)
	}
	if hits := len(w.hits) - had; hits > 0 || w.counted[s.file] != nil {
		w.run.note(s.file, t, hits)
	}
	w.run.spent.Add(int64(n) - rest.length)
	w.run.skipped.Add(s.length - int64(n)) // what was cut off since
	return rest, nil
}

// candidate is a line worth decoding.
type candidate struct {
	offset, line int
	raw          []byte
}

// lines looks through the lines of a piece, the last one first. What it returns is
// left for later, because the session has hits enough for now.
func (w *scanner) lines(block []byte, s span, t *target) (rest span) {
	w.list = w.list[:0]
	line, at := s.line, 0
	for offset, raw := range w.candidates(block) {
		line += bytes.Count(block[at:offset], []byte{'\n'})
		at = offset
		w.list = append(w.list, candidate{offset, line, raw})
	}
	missing := w.run.missing(t)
	had := len(w.hits)
	for _, c := range slices.Backward(w.list) {
		w.run.spent.Add(decodeCost * int64(len(c.raw)))
		found := w.matches(c.raw, span{file: s.file, start: s.start + int64(c.offset), line: c.line}, t)
		w.hits = append(w.hits, found...)
		if len(found) > 0 && w.run.search.Once {
			return span{}
		}
		if len(w.hits)-had >= missing && c.offset > 0 {
			return span{file: s.file, start: s.start, length: int64(c.offset), line: s.line, loose: s.loose}
		}
	}
	return span{}
}

// matches are the records of one line that match.
func (w *scanner) matches(raw []byte, at span, t *target) (list []found) {
	for _, e := range entries(raw, at.start, w.run.search.Raw != nil) {
		if h, ok := w.match(&e, t, at.line); ok {
			list = append(list, found{at.file, h})
		}
	}
	return list
}

// entries are the records of a line, also of a damaged one. For a search of raw
// bytes the line is one thing, whatever it holds.
func entries(raw []byte, offset int64, asBytes bool) []sesskeep.Entry {
	list := sesskeep.DecodeLine(raw, offset)
	if asBytes && len(list) != 1 {
		return []sesskeep.Entry{{Raw: raw, Offset: offset}}
	}
	return list
}

// candidates are the lines worth decoding.
func (w *scanner) candidates(block []byte) iter.Seq2[int, []byte] {
	if w.run.search.Raw == nil {
		return w.run.matcher.Candidates(block)
	}
	return func(yield func(int, []byte) bool) {
		for at := 0; at < len(block); {
			i := bytes.Index(block[at:], w.run.search.Raw)
			if i < 0 {
				return
			}
			from := bytes.LastIndexByte(block[:at+i], '\n') + 1
			end := len(block)
			if n := bytes.IndexByte(block[at+i:], '\n'); n >= 0 {
				end = at + i + n
			}
			if !yield(from, block[from:end]) {
				return
			}
			at = end + 1
		}
	}
}

// match decides on the decoded values of an entry, and makes a hit of it.
func (w *scanner) match(e *sesskeep.Entry, t *target, line int) (lineHit, bool) {
	r := w.run
	t.tell(e, line)
	if !r.lineHolds(e, t) {
		return lineHit{}, false
	}
	h := lineHit{
		Hit: ask.Hit{Kind: sesskeep.ValueOther, File: t.name, Line: line, UUID: e.UUID, AgentID: t.agent, Time: stamp.Time{Time: e.Time}},
		in:  t, offset: e.Offset, length: len(e.Raw),
	}
	if r.search.Raw == nil {
		n, kind, ok := r.tellingValue(e)
		if !ok {
			return lineHit{}, false
		}
		h.Kind, h.value = kind, n
		if e.Kind == sesskeep.KindSummary && len(r.matcher.Spans(r.value(e, n), 1)) > 0 {
			h.about = e.Leaf
		}
	}
	h.Score = score(h.Kind, t.active, r.now)
	return h, true
}

// tellingValue tests the strings of a line and gives which of those that match says
// most: its number, and its kind. If only negated clauses were asked for it is what
// was said.
func (r *searchRun) tellingValue(e *sesskeep.Entry) (value int, kind sesskeep.ValueKind, ok bool) {
	trial := r.matcher.NewTrial()
	best, weight := -1, -1.0
	said, n := -1, 0
	var saidKind, first sesskeep.ValueKind
	for k, text := range e.Texts() {
		if len(r.in) > 0 && !r.in[k] {
			continue
		}
		if n == 0 {
			first = k
		}
		if said < 0 && k != sesskeep.ValueOther {
			said, saidKind = n, k
		}
		if !trial.Decided() {
			trial.Add(text)
		}
		if w := weights[k]; w > weight && r.matcher.Marks(text) {
			best, weight, kind = n, w, k
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
