package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"sync"
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
	more    func() ([]work, error) // what was active before all this; nil: nothing
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
			f.waiting, f.failed = f.more()
			f.more = nil
		case len(f.later) > 0:
			f.run.noOthers()
		default:
			return work{}, false
		}
	}
	return work{}, false
}

// putOff takes back what a scanner did not read.
func (f *feed) putOff(w work) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.later = append(f.later, w)
}

// left is how many bytes were given to nobody.
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

// How many files are asked for before a search begins: so many, and some for each
// session on its page. Tests have less.
var firstFiles, filesOfEach = 256, 4

// prepare finds where to look, as the index stands at one moment. It reports whether
// that moment is needed any longer, because not all files were asked for.
func (r *searchRun) prepare(ctx context.Context, tx *sql.Tx) (holds bool, err error) {
	s := &r.search
	where := candidateBlocks{all: true}
	if s.Raw == nil {
		if where, err = blocksFor(tx, r.matcher); err != nil {
			return false, err
		}
	}
	loose, err := tails(tx)
	if err != nil {
		return false, err
	}
	unread, err := unreadBytes(tx, r.roots)
	if err != nil {
		return false, err
	}
	r.skipped.Store(unread)
	all := func() ([]work, error) { return r.allFiles(tx, where, loose) }
	if mayEnd := s.Budget > 0 && !s.Count && s.Raw == nil; mayEnd && len(loose) <= fewFiles && (where.all || len(where.blocks) >= fewBlocks) {
		floor, ok, err := r.activeBefore(ctx, tx, firstFiles+filesOfEach*(max(0, s.Offset)+s.Limit))
		if err != nil {
			return false, err
		}
		if ok {
			r.feed.waiting, err = r.latestFiles(tx, floor, where, loose)
			r.feed.more = all
			r.behind = func() (int64, error) { return r.bytesBehind(tx, floor, where) }
			return true, err
		}
	}
	r.feed.waiting, err = all()
	return false, err
}

// allFiles is what is to be read of all files that were not given yet.
func (r *searchRun) allFiles(tx *sql.Tx, where candidateBlocks, loose []span) ([]work, error) {
	list, err := spans(tx, where)
	if err != nil {
		return nil, err
	}
	if r.search.Raw != nil { // the filters leave damaged lines out
		list = append(list, gaps(list)...)
	}
	list = append(list, loose...)
	outputs, err := outputsOf(tx, list)
	if err != nil {
		return nil, err
	}
	given := r.files
	if r.files, err = r.targets(tx, ofSpans(slices.Concat(list, outputs.spans()))); err != nil {
		return nil, err
	}
	outputs.place(r.files)
	if r.search.Count {
		if err := noteDamage(tx, r.files); err != nil {
			return nil, err
		}
	}
	work := byFile(slices.DeleteFunc(list, func(s span) bool { return given[s.file] != nil }), r.files)
	for file, t := range given {
		r.files[file] = t
	}
	return work, nil
}

// latestFiles is what is to be read of the files that were active from a moment on,
// and of those that are not all in blocks. Outputs that have files of their own come
// with the rest.
func (r *searchRun) latestFiles(tx *sql.Tx, floor int64, where candidateBlocks, loose []span) ([]work, error) {
	var err error
	if r.files, err = r.targets(tx, ofSpans(loose)); err != nil {
		return nil, err
	}
	latest, err := r.targets(tx, someFiles{since: floor})
	if err != nil {
		return nil, err
	}
	ids := make([]int64, 0, len(latest))
	for file, t := range latest {
		if r.files[file] == nil {
			r.files[file] = t
		}
		ids = append(ids, file)
	}
	list, err := spansOf(tx, ids, where)
	return byFile(append(list, loose...), r.files), err
}

// activeBefore is when the nth file was active, counted from the one active last,
// and false if there are not so many.
func (r *searchRun) activeBefore(ctx context.Context, tx *sql.Tx, n int) (active int64, ok bool, err error) {
	where, args := r.search.conditions(r.roots)
	err = tx.QueryRowContext(ctx, `SELECT r.active FROM row r INDEXED BY row_recent WHERE `+where+` ORDER BY r.active DESC`+limited, append(args, 1, n)...).Scan(&active)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return active, err == nil, err
}

// bytesBehind is how large the files are that were not active since a moment, or 0
// if none of them can have what is looked for.
func (r *searchRun) bytesBehind(tx *sql.Tx, floor int64, blocks candidateBlocks) (n int64, err error) {
	where, args := r.search.conditions(r.roots)
	where, args = where+" AND r.active < ?", append(args, floor)
	if !blocks.all {
		var found bool
		err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM json_each(?) b CROSS JOIN extent e ON e.block = b.value CROSS JOIN row r ON r.file = e.file
			WHERE `+where+`)`, append([]any{jsonText(blocks.blocks)}, args...)...).Scan(&found)
		if err != nil || !found {
			return 0, err
		}
	}
	err = tx.QueryRow("SELECT coalesce(sum(r.size), 0) FROM row r INDEXED BY row_recent WHERE "+where, args...).Scan(&n)
	return n, err
}

// someFiles are the files with one of these ids, or those active since a moment.
type someFiles struct {
	ids   []int64 // nil: by since
	since int64
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
