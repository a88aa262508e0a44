package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"

	"sesskeep/internal/index/db"
)

// A search begins with what was active last, and one for a common word ends long
// before it has read everything. So it does not ask for all files before it begins:
// the feed gives its scanners what to read next, and asks the index for the rest
// when that is used up.
//
// A page is filled first. A session that has as many hits as are shown of one waits
// until there are sessions enough; what is left of the budget is for the rest of it.

// work is what is to be read of one file, its end first.
type work struct {
	file  int64
	of    *target
	spans []span
}

type feed struct {
	run *searchRun

	mu      sync.Mutex
	waiting []work
	later   []work                 // of sessions that have hits enough, while others have none
	more    func() ([]work, error) // what was active just before all this; nil: nothing
	failed  error
}

// next gives a scanner something to read, and false if nothing is left or needed.
func (f *feed) next() (w work, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.run.enough() {
		if len(f.later) > 0 && !f.run.wantsOthers() {
			w, f.later = f.later[0], f.later[1:]
			return w, true
		}
		switch {
		case len(f.waiting) > 0:
			if w, f.waiting = f.waiting[0], f.waiting[1:]; f.run.missing(w.of) > 0 {
				return w, true
			}
			f.later = append(f.later, w)
		case f.more != nil:
			more := f.more
			f.more = nil // it sets the next one
			f.waiting, f.failed = more()
		case len(f.later) > 0:
			f.run.setExhausted()
		default:
			return work{}, false
		}
	}
	return work{}, false
}

// postpone takes back what a scanner did not read.
func (f *feed) postpone(w work) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.later = append(f.later, w)
}

// left is how many bytes no scanner was given.
func (f *feed) left() (n int64) {
	for _, w := range slices.Concat(f.waiting, f.later) {
		for _, s := range w.spans {
			n += s.length
		}
	}
	return n
}

// mostOfOneFile bounds what one scanner reads while others have nothing to do.
const mostOfOneFile = 8

// byFile puts pieces together that lie in one file, the files that were active last
// first. Those of files that the search is not about are left out.
func byFile(spans []span, files map[int64]*target) (list []work) {
	of := map[int64][]span{}
	for _, s := range spans {
		if files[s.file] != nil {
			of[s.file] = append(of[s.file], s)
		}
	}
	for file, spans := range of {
		slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(b.start, a.start) })
		for part := range slices.Chunk(spans, mostOfOneFile) {
			list = append(list, work{file, files[file], part})
		}
	}
	slices.SortFunc(list, func(a, b work) int {
		return cmp.Or(cmp.Compare(b.of.active, a.of.active), a.of.compare(b.of), cmp.Compare(b.spans[0].start, a.spans[0].start))
	})
	return list
}

// snapshot is what the index said of a search in one transaction.
type snapshot struct {
	commit    int64           // of then: another one means that something changed
	where     candidateBlocks // what can match
	unindexed []span          // what is in no block
	since     int64           // files active from here on were given to the scanners
	given     []int64         // and these, whenever they were active
}

// changeCounter is the number that every commit of the index increases.
func changeCounter(ctx context.Context, q db.Querier) (n int64, err error) {
	err = q.QueryRowContext(ctx, "SELECT n FROM change_counter").Scan(&n)
	return n, err
}

// snapshot asks the index where a search has to look.
func (r *searchRun) snapshot(ctx context.Context, tx *sql.Tx) (l snapshot, err error) {
	l.given = []int64{}
	if l.commit, err = changeCounter(ctx, tx); err != nil {
		return l, err
	}
	l.where = everyBlock
	if r.q.Raw == nil {
		if l.where, err = blocksFor(tx, r.q.matcher); err != nil {
			return l, err
		}
	}
	if r.calls, err = testCalls(tx, r.q.tests); err != nil {
		return l, err
	}
	l.unindexed, err = tails(tx)
	return l, err
}

// prepare finds where to look, as the index stands at one moment. What is read later
// is asked for later: no transaction is open while transcripts are read.
func (r *searchRun) prepare(ctx context.Context, tx *sql.Tx) error {
	if p, err := r.pieces(ctx, tx); p != nil || err != nil {
		return errors.Join(err, r.feedFrom(tx, p))
	}
	s := &r.q.search
	l, err := r.snapshot(ctx, tx)
	if err != nil {
		return err
	}
	unread, err := unreadBytes(tx, r.q.homes)
	if err != nil {
		return err
	}
	r.skipped.Store(unread)
	if mayEnd := s.Budget > 0 && !s.Count && s.Raw == nil && !r.q.narrows(); mayEnd && len(l.unindexed) <= fewFiles && (l.where.all || len(l.where.blocks) >= r.limits.FewBlocks) {
		l.since, l.given = math.MaxInt64, ofSpans(l.unindexed).ids
		n := r.limits.FirstFiles + r.limits.FilesOfEach*(max(0, s.Offset)+s.Limit)
		if list, ok, err := r.moreFiles(ctx, tx, l, n); ok || err != nil {
			r.feed.waiting = list
			return err
		}
	}
	r.feed.waiting, err = r.allFiles(tx, l)
	return err
}

// revisit asks the index once more in a transaction of its own. If it changed since the
// first time, so has where to look.
func (r *searchRun) revisit(ctx context.Context, l snapshot, ask func(tx *sql.Tx, now snapshot) error) error {
	return r.view(ctx, func(tx *sql.Tx) error {
		now := l
		commit, err := changeCounter(ctx, tx)
		if now.commit = commit; err == nil && now.commit != l.commit {
			now, err = r.snapshot(ctx, tx)
			now.since = math.MaxInt64 // what was active before may be active now
		}
		if err != nil {
			return err
		}
		return ask(tx, now)
	})
}

// moreFiles is what is to be read of the files active last, down to the nth one, that
// were not given yet; and false if there are not so many.
func (r *searchRun) moreFiles(ctx context.Context, tx *sql.Tx, l snapshot, n int) (list []work, ok bool, err error) {
	before := l.since
	if l.since, ok, err = r.nthActive(ctx, tx, n); err != nil || !ok {
		return nil, false, err
	}
	list, err = r.latestFiles(tx, l, before)
	r.feed.more = func() ([]work, error) { return r.laterFiles(ctx, l, 4*n) }
	r.unasked = func() (int64, error) { return r.unaskedBytes(ctx, l) }
	return list, true, err
}

// laterFiles is what is to be read when all of that was read: of the next files, down to
// the nth one, or of all that are left. Few blocks are read quicker than those of many files.
func (r *searchRun) laterFiles(ctx context.Context, l snapshot, n int) (list []work, err error) {
	err = r.revisit(ctx, l, func(tx *sql.Tx, now snapshot) error {
		if few := !now.where.all && len(now.where.blocks) < 2*n; !few && now.commit == l.commit {
			var ok bool
			if list, ok, err = r.moreFiles(ctx, tx, now, n); ok || err != nil {
				return err
			}
		}
		list, err = r.allFiles(tx, now)
		return err
	})
	return list, err
}

// unaskedBytes is how many bytes lie in files that were never asked for.
func (r *searchRun) unaskedBytes(ctx context.Context, l snapshot) (n int64, err error) {
	err = r.revisit(ctx, l, func(tx *sql.Tx, now snapshot) error {
		n, err = r.countUnasked(tx, now)
		return err
	})
	return n, err
}

// allFiles is what is to be read of all files that were not given yet.
func (r *searchRun) allFiles(tx *sql.Tx, l snapshot) ([]work, error) {
	list, err := r.spans(tx, l)
	if err != nil {
		return nil, err
	}
	outputs, err := outputsOf(tx, list)
	if err != nil {
		return nil, err
	}
	if r.files, err = r.targets(tx, ofSpans(slices.Concat(list, outputs.spans()))); err != nil {
		return nil, err
	}
	outputs.assign(r.files)
	if r.q.Count {
		if err := noteDamage(tx, r.files); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(byFile(list, r.files), func(w work) bool { return r.given[w.of.location()] }), nil
}

// spans are the pieces of all files that can match.
func (r *searchRun) spans(tx *sql.Tx, l snapshot) ([]span, error) {
	if r.q.narrows() && l.where.all {
		return r.calls.spans(), nil
	}
	list, err := spans(tx, l.where)
	if err != nil {
		return nil, err
	}
	if r.q.Raw != nil { // the filters leave damaged lines out
		list = append(list, gaps(list)...)
	}
	list = append(list, l.unindexed...)
	if r.q.narrows() {
		list = r.calls.narrow(list)
	}
	return list, nil
}

// latestFiles is what is to be read of the files that were active from a moment on and
// before another one, and of those that are not all in blocks: all of each, since none of
// them is asked for again. Outputs that have files of their own come with the rest.
func (r *searchRun) latestFiles(tx *sql.Tx, l snapshot, before int64) ([]work, error) {
	files, err := r.targets(tx, someFiles{since: l.since, before: before})
	if err != nil {
		return nil, err
	}
	unindexed, err := r.targets(tx, someFiles{ids: l.given})
	if err != nil {
		return nil, err
	}
	maps.Copy(files, unindexed)
	maps.DeleteFunc(files, func(_ int64, t *target) bool { return r.given[t.location()] })
	for _, t := range files {
		r.given[t.location()] = true
	}
	list, err := spansOf(tx, slices.Collect(maps.Keys(files)), l.where)
	return byFile(append(list, l.unindexed...), files), err
}

// nthActive is when the nth file was active, counted from the one active last,
// and false if there are not so many.
func (r *searchRun) nthActive(ctx context.Context, tx *sql.Tx, n int) (active int64, ok bool, err error) {
	where, args := r.q.conditions(r.q.homes)
	err = tx.QueryRowContext(ctx, `SELECT r.active FROM row r INDEXED BY row_recent WHERE `+where+` ORDER BY r.active DESC`+db.LimitOffset, append(args, 1, n)...).Scan(&active)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return active, err == nil, err
}

// countUnasked is how large the files are that were not given to the scanners, or 0 if
// none of them can have what is looked for.
func (r *searchRun) countUnasked(tx *sql.Tx, l snapshot) (n int64, err error) {
	where, args := r.q.conditions(r.q.homes)
	where, args = where+" AND r.active < ? AND r.file NOT IN (SELECT value FROM json_each(?))", append(args, l.since, db.JSON(l.given))
	if !l.where.all {
		var found bool
		err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM json_each(?) b CROSS JOIN extent e ON e.block = b.value CROSS JOIN row r ON r.file = e.file
			WHERE `+where+`)`, append([]any{db.JSON(l.where.blocks)}, args...)...).Scan(&found)
		if err != nil || !found {
			return 0, err
		}
	}
	err = tx.QueryRow("SELECT coalesce(sum(r.size), 0) FROM row r INDEXED BY row_recent WHERE "+where, args...).Scan(&n)
	return n, err
}

// someFiles are the files with one of these ids, or those active since a moment and
// before another one, or all.
type someFiles struct {
	all           bool
	ids           []int64 // nil: by when they were active
	since, before int64
}

// ofSpans are the files of some pieces, each once.
func ofSpans(spans []span) someFiles {
	ids := make([]int64, len(spans))
	for i, s := range spans {
		ids[i] = s.file
	}
	slices.Sort(ids)
	return someFiles{ids: slices.Compact(ids), since: math.MinInt64}
}
