package check

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"slices"

	"sesskeep"
	"sesskeep/homefs"
)

// Repair is a planned repair of one transcript.
type Repair struct {
	File    string   `json:"file"`        // path inside the home
	Changes []Change `json:"changes"`     // changes to the file, by kind
	Records int      `json:"recordCount"` // records in the repaired file: all there are
	Dropped int64    `json:"droppedSize"` // bytes that are not a record, which the repaired file omits

	ref     sesskeep.Ref
	store   *sesskeep.Store
	parents map[int64]string // offset of a record → the uuid that its parent gets
	skip    map[int64]bool   // offsets of records that come twice
	timeAt  int64            // offset of the record that gets a time; -1: none
	time    string
}

// Change is one sort of change that a repair makes, and why.
type Change struct {
	Code  Code   `json:"code"`            // finding that the change repairs
	Line  int    `json:"line"`            // number of the first changed line
	Count int    `json:"count"`           // number of lines that change
	What  string `json:"what"`            // what the repair does
	Field string `json:"field,omitempty"` // field of the records that gets another value
}

// does says what a repair does about each code, and which field it changes.
var does = map[Code]struct{ what, field string }{
	Broken:    {"bytes that are not a record are left out", ""},
	Cut:       {"the start of a record whose end is missing is left out", ""},
	Torn:      {"the unfinished last line is left out", ""},
	NUL:       {"NUL bytes are left out", ""},
	BOM:       {"the byte order mark is left out", ""},
	CRLF:      {"lines end as the client ends them", ""},
	Glued:     {"records that share a line get a line each", ""},
	Spread:    {"a record over several lines gets one line", ""},
	Duplicate: {"of a record that comes twice one is kept", ""},
	Dangling:  {"a record whose parent is missing follows the call that it answers, or else the record before it", "parentUuid"},
	Cycle:     {"the first record of a loop follows the record before it, or starts the conversation", "parentUuid"},
	Foreign:   {"the session is the one that the file is named by", "sessionId"},
	Untimed:   {"the last record gets the time of the one before it", "timestamp"},
}

// PlanRepair works out how the transcripts of a family can be mended. Those with
// nothing to mend have no Repair.
func PlanRepair(ctx context.Context, s *sesskeep.Store, family sesskeep.Family) ([]*Repair, error) {
	refs := slices.Clone(family.Agents)
	if family.Main != nil {
		refs = slices.Insert(refs, 0, *family.Main)
	}
	var list []*Repair
	for _, ref := range refs {
		r, err := planFile(ctx, s, ref)
		if err != nil {
			return nil, err
		}
		if len(r.Changes) > 0 {
			list = append(list, r)
		}
	}
	return list, nil
}

func planFile(ctx context.Context, s *sesskeep.Store, ref sesskeep.Ref) (*Repair, error) {
	r := &Repair{File: ref.File, ref: ref, store: s, parents: map[int64]string{}, skip: map[int64]bool{}, timeAt: -1}
	found := &findings{}
	f, err := examine(ctx, s, ref, Options{}, found)
	if err != nil {
		return nil, err
	}
	for _, n := range found.list {
		if n.Code != Untimed { // another record may be the last one then
			r.change(n)
		}
	}
	for _, b := range f.mended {
		uuid := ""
		if b.parent >= 0 {
			uuid = f.chain.nodes[b.parent].uuid
		}
		r.parents[f.chain.nodes[b.node].offset] = uuid
	}
	for _, at := range f.duplicates {
		r.skip[at.offset] = true
	}
	if slices.ContainsFunc(found.list, func(n Finding) bool { return n.Code == Conflict }) {
		if err := r.dropAlike(f); err != nil {
			return nil, err
		}
	}
	if f.end != (position{}) && !f.endTimed && ref.Agent == "" {
		r.change(Finding{Code: Untimed, Line: f.end.line, Count: 1})
		r.timeAt, r.time = f.end.offset, f.time
		if r.time == "" {
			r.time = quote(ref.Modtime.UTC().Format("2006-01-02T15:04:05.000Z"))
		}
	}
	slices.SortStableFunc(r.Changes, func(a, b Change) int { return cmp.Compare(a.Line, b.Line) })
	r.Records, r.Dropped = f.records-len(r.skip), f.bad
	return r, nil
}

// dropAlike leaves out records that are the same as one before when both are mended,
// and were not before: only the session or the parent of one was wrong. The last
// record may be another one then.
func (r *Repair) dropAlike(f *file) error {
	src, err := r.store.Files().Open(r.File)
	if err != nil {
		return err
	}
	defer src.Close()
	first, seed := map[string]uint64{}, maphash.MakeSeed()
	f.end, f.endTimed, f.time = position{}, false, ""
	sc := newScanner(src)
	var mended []byte
	for p, ok := sc.next(); ok; p, ok = sc.next() {
		if sc.rec == nil {
			continue
		}
		if sc.rec.node() && !r.skip[p.offset] {
			mended = patched(mended[:0], p.raw, r.patches(p, sc.rec))
			sum := maphash.Bytes(seed, mended)
			was, had := first[sc.rec.uuid]
			if !had {
				first[sc.rec.uuid] = sum
			} else if was == sum {
				r.skip[p.offset] = true
				r.change(Finding{Code: Duplicate, Line: p.line, Count: 1})
			}
		}
		if sc.rec.talk() {
			f.said(p, sc.rec, r.skip[p.offset])
		}
	}
	return sc.err()
}

// change adds what is done about a finding.
func (r *Repair) change(n Finding) {
	do, ok := does[n.Code]
	if !ok {
		return
	}
	i := slices.IndexFunc(r.Changes, func(c Change) bool { return c.Code == n.Code })
	if i < 0 {
		r.Changes = append(r.Changes, Change{Code: n.Code, Line: n.Line, What: do.what, Field: do.field})
		i = len(r.Changes) - 1
	}
	r.Changes[i].Count += n.Count
}

// Open returns the new content. It is made while it is read.
func (r *Repair) Open() (io.ReadCloser, error) {
	src, err := r.store.Files().Open(r.File)
	if err != nil {
		return nil, err
	}
	return &rewriter{repair: r, src: src, pieces: newScanner(src)}, nil
}

// rewriter reads a file as it is after the repair.
type rewriter struct {
	repair *Repair
	src    homefs.File
	pieces *scanner
	out    []byte // not read yet
	buf    []byte
	kept   int
	copied int64 // of a line that is too long: how much of it is copied
	long   piece
}

func (w *rewriter) Close() error { return w.src.Close() }

func (w *rewriter) Read(p []byte) (int, error) {
	for len(w.out) == 0 {
		if err := w.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	return n, nil
}

// fill makes the next record.
func (w *rewriter) fill() error {
	if w.long.length > 0 {
		return w.copyLong()
	}
	p, ok := w.pieces.next()
	if !ok {
		if err := w.pieces.err(); err != nil {
			return err
		}
		if w.kept != w.repair.Records {
			return fmt.Errorf("repair %s: %d records instead of %d: the file was changed", w.repair.File, w.kept, w.repair.Records)
		}
		return io.EOF
	}
	switch {
	case p.code == TooLong:
		w.long, w.copied = p, 0
	case p.raw != nil && !w.repair.skip[p.offset]:
		w.kept++
		w.buf = append(patched(w.buf[:0], p.raw, w.repair.patches(p, w.pieces.rec)), '\n')
		w.out = w.buf
	}
	return nil
}

// copyLong copies a line that is too long to be looked at, piece by piece.
func (w *rewriter) copyLong() error {
	const size = 256 << 10
	if len(w.buf) < size {
		w.buf = make([]byte, size)
	}
	n := min(int64(size), w.long.length-w.copied)
	if n == 0 {
		w.long = piece{}
		return nil
	}
	if _, err := w.src.ReadAt(w.buf[:n], w.long.offset+w.copied); err != nil && err != io.EOF {
		return err
	}
	w.copied += n
	w.out = w.buf[:n]
	return nil
}

// patches are the values of a record that the repair replaces, in their order.
func (r *Repair) patches(p piece, rec *record) []patch {
	var list []patch
	if uuid, ok := r.parents[p.offset]; ok && rec.parentAt.found() {
		value := "null"
		if uuid != "" {
			value = quote(uuid)
		}
		list = append(list, patch{rec.parentAt, value})
	}
	if rec.sessionAt.found() && foreign(r.ref, rec) {
		list = append(list, patch{rec.sessionAt, quote(string(r.ref.Session))})
	}
	if p.offset == r.timeAt {
		list = append(list, valueAt(rec.timeAt, span{1, 1}, "timestamp", r.time))
	}
	slices.SortFunc(list, func(a, b patch) int { return a.at.from - b.at.from })
	return list
}

// quote writes a string as the client's JSON does.
func quote(s string) string {
	b, _ := json.Marshal(s) // a string always has a form
	return string(b)
}
