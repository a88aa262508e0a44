package search

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// searchRun is one search under way.
type searchRun struct {
	q       *question
	view    func(ctx context.Context, f func(tx *sql.Tx) error) error // of the index
	limits  Limits
	tables  *pieceTables // nil: none are kept
	feed    feed
	files   map[int64]*target     // of one snapshot, and not for scanners
	calls   tested                // of that snapshot too
	given   map[location]bool     // what they were given before that
	unasked func() (int64, error) // how many bytes lie in files that were never asked for; nil: none

	spent     atomic.Int64 // of the budget
	skipped   atomic.Int64
	mu        sync.Mutex
	sessions  map[sesskeep.Key]int // hits, by session
	exhausted bool                 // no session is left that nothing was read of
	done      map[int64]bool       // files that have one, where one is enough
	scanners  []*scanner
}

func newSearchRun(q *question) *searchRun {
	r := &searchRun{q: q, sessions: map[sesskeep.Key]int{}, done: map[int64]bool{}, given: map[location]bool{}}
	r.feed.run = r
	return r
}

// hits are what all scanners found.
func (r *searchRun) hits() (all []found) {
	for _, w := range r.scanners {
		all = append(all, w.hits...)
	}
	return all
}

// decodeCost is how many bytes could be looked through in the time it takes to
// decode one.
const decodeCost = 10

// acquireSlot waits for a slot, and reports false if ctx ends first.
func (r *searchRun) acquireSlot(ctx context.Context) bool {
	if r.q.Slots == nil {
		return true
	}
	select {
	case r.q.Slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// releaseSlot also lets others go first: what is cheap must not wait until the scanners of
// all searches have used up their time.
func (r *searchRun) releaseSlot() {
	if r.q.Slots != nil {
		<-r.q.Slots
		runtime.Gosched()
	}
}

// enough reports whether what was found will do.
func (r *searchRun) enough() bool {
	s := &r.q.search
	if s.Budget <= 0 || r.spent.Load() < s.Budget {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.Hasty || r.isFull()
}

// isFull reports whether there are sessions for the page, and one more.
func (r *searchRun) isFull() bool {
	return r.q.Limit > 0 && len(r.sessions) > max(0, r.q.Offset)+r.q.Limit
}

// wantsOthers reports whether sessions without hits come before those that have as
// many as are shown: until the page is full, or there are no others.
func (r *searchRun) wantsOthers() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.q.Budget > 0 && !r.exhausted && !r.isFull()
}

// setExhausted says that no session is left that nothing was read of.
func (r *searchRun) setExhausted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exhausted = true
}

// missing is how many hits a session lacks of those that are shown, while others are
// wanted; else there is no end to what it lacks.
func (r *searchRun) missing(t *target) int {
	if !r.wantsOthers() {
		return math.MaxInt
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(0, r.q.shown()-r.sessions[t.key()])
}

// note counts what was found in a piece of a file.
func (r *searchRun) note(file int64, t *target, hits int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions[t.key()] += hits
	if r.q.Once {
		r.done[file] = true
	}
}

// isDone reports whether nothing more of a file is wanted.
func (r *searchRun) isDone(file int64) bool {
	if !r.q.Once {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.done[file]
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
		if r.q.counts() {
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
				w.readFile(ctx, next)
			}
		})
	}
	wg.Wait()
	r.skipped.Add(r.feed.left())
	if r.feed.more != nil {
		n, err := r.unasked()
		r.skipped.Add(n)
		r.feed.failed = errors.Join(r.feed.failed, err)
	}
	return cmp.Or(ctx.Err(), r.feed.failed)
}

// readFile reads the pieces of a file until it is enough. The first one is read in any
// case: others may have found enough since it was given out, but what was active last
// must not be what is missing.
func (w *scanner) readFile(ctx context.Context, next work) {
	r := w.run
	for first := true; len(next.spans) > 0; first = false {
		s := next.spans[0]
		switch {
		case r.isDone(next.file):
			return
		case !first && r.enough():
			for _, s := range next.spans {
				r.skipped.Add(s.length)
			}
			return
		case r.missing(next.of) == 0:
			r.feed.postpone(next)
			return
		case !r.acquireSlot(ctx):
			return
		}
		// A file that went away since is no reason to fail, but the answer is not
		// complete.
		rest, err := w.span(s, next.of)
		r.releaseSlot()
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
	skim    Skim

	list []candidate // of the piece that is read
	text []byte      // of the value that is quoted

	open *target
	file homefs.File
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
		f, err := t.store.Files().Open(t.name)
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
	for offset, raw := range w.candidates(block, s) {
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
		if len(found) > 0 && w.run.q.Once {
			return span{}
		}
		if len(w.hits)-had >= missing && c.offset > 0 {
			return span{file: s.file, start: s.start, length: int64(c.offset), line: s.line, unindexed: s.unindexed}
		}
	}
	return span{}
}

// matches are the records of one line that match.
func (w *scanner) matches(raw []byte, at span, t *target) (list []found) {
	for _, e := range entries(raw, at.start, w.run.q.Raw != nil) {
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
func (w *scanner) candidates(block []byte, s span) iter.Seq2[int, []byte] {
	switch {
	case w.run.q.Raw != nil:
	case s.plain:
		return w.run.q.matcher.CandidatesIn(block, true)
	default:
		return w.run.q.matcher.Candidates(block)
	}
	return func(yield func(int, []byte) bool) {
		for at := 0; at < len(block); {
			i := bytes.Index(block[at:], w.run.q.Raw)
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
	t.reclassify(e, line)
	if !r.q.lineHolds(e, t) {
		return lineHit{}, false
	}
	h := lineHit{
		Hit: ask.Hit{Kind: ask.TextOther, File: t.name, Line: line, UUID: e.UUID, AgentID: t.agent, Time: stamp.Time{Time: e.Time}},
		in:  t, offset: e.Offset, length: len(e.Raw),
	}
	if r.q.Raw == nil {
		n, kind, ok := r.q.bestValue(e, &w.text)
		if !ok {
			return lineHit{}, false
		}
		h.Kind, h.value = kind, n
		if h.quoted = len(w.text) > 0; h.quoted {
			text := string(w.text)
			r.q.show(&h, text, r.q.matcher.Spans(text, 8))
		}
		if e.Kind == sesskeep.KindSummary && len(r.q.matcher.Spans(r.q.value(e, n), 1)) > 0 {
			h.about = e.Leaf
		}
	}
	h.Score = score(h.Kind, t.active, r.q.now)
	return h, true
}
