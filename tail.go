package sesskeep

import (
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"sync"
	"time"

	"sesskeep/internal/jsonl"
)

// Tail reads the entries of a transcript from a Mark on. An unfinished last
// line waits until its end is written.
//
//	t, err := store.Tail(name, mark)
//	if t.Change == sesskeep.ChangeReplaced { … forget what came before … }
//	for e, ok := t.Next(); ok; e, ok = t.Next() { … }
//	mark, err = t.Mark()
//	t.Close()
type Tail struct {
	Change Change

	file     File
	info     fs.FileInfo
	start    Mark
	sums     *sumReader
	records  *records
	problems []Problem
	ended    bool // Next gave out all there is
}

// readers keeps buffers between files: a home has thousands of them.
var readers = sync.Pool{New: func() any { return new(records) }}

// Tail opens a transcript to read what was added after m. If the file does not
// exist, the Change of the Tail is ChangeGone and there is no error.
func (s *Store) Tail(name string, m Mark) (*Tail, error) {
	f, err := s.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Tail{Change: ChangeGone}, nil
	}
	if err != nil {
		return nil, err
	}
	t, err := openTail(f, name, m)
	if err != nil {
		f.Close()
		return nil, &Error{Op: "read", Name: s.Path(name), Err: Cause(err)}
	}
	return t, nil
}

// TailFrom opens a transcript to read on from offset, where a line starts that
// has the given number of lines before it. If no line starts there any more,
// the Change is ChangeReplaced and the file is read from its start. Unlike a
// Mark, an offset proves nothing about the bytes before it.
func (s *Store) TailFrom(name string, offset int64, lines int) (*Tail, error) {
	t, err := s.Tail(name, Mark{})
	if err != nil || t.Change == ChangeGone || offset == 0 {
		return t, err
	}
	var before [1]byte
	n, err := t.file.ReadAt(before[:], offset-1)
	switch {
	case n == 0 && err != io.EOF:
		t.Close()
		return nil, &Error{Op: "read", Name: s.Path(name), Err: Cause(err)}
	case n == 0 || before[0] != '\n':
		t.Change = ChangeReplaced
		return t, nil
	}
	t.records.reset(name, t.sums, offset, lines)
	return t, nil
}

func openTail(f File, name string, m Mark) (*Tail, error) {
	f = readable(f)
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	change, err := m.compare(f, info)
	if err != nil {
		return nil, err
	}
	if change == ChangeReplaced {
		m = Mark{}
	}
	t := &Tail{Change: change, file: f, info: info, start: m}
	t.sums = &sumReader{f: f, sumTo: sumTo{m.Offset, m.All}}
	t.records = readers.Get().(*records)
	t.records.problem = func(p Problem) { t.problems = append(t.problems, p) }
	t.records.reset(name, t.sums, m.Offset, m.Lines)
	t.records.odd = jsonl.Flaw(m.Odd)
	return t, nil
}

// Next returns the next entry. It is valid until the next call; its strings
// stay valid.
func (t *Tail) Next() (*Entry, bool) {
	if t.Change == ChangeGone || t.Change == ChangeNone {
		return nil, false
	}
	e, ok := t.records.next()
	t.ended = !ok && t.Err() == nil && t.records.given.to == 0
	return e, ok
}

// Rest returns the last entry of a file that does not end in a newline, if the
// entry is whole. The Mark stays before it, so that a later Tail reads it
// again.
func (t *Tail) Rest() (*Entry, bool) {
	if t.Change == ChangeGone || t.Change == ChangeNone {
		return nil, false
	}
	return t.records.rest()
}

// Problems returns the damage met since the last call of Problems.
func (t *Tail) Problems() []Problem {
	p := t.problems
	t.problems = nil
	return p
}

// Err returns the error that ended the reading, or nil at the end of the file.
func (t *Tail) Err() error {
	if t.records == nil {
		return nil
	}
	return t.records.lines.Err()
}

// Holed reports whether a piece of what was read so far is damaged: that of a copy,
// which may be mended while the Mark of the file stays what it is.
func (t *Tail) Holed() bool {
	h, ok := t.file.(*holed)
	return ok && h.met
}

// Mark returns the position just after the line of the last entry that Next
// returned. If the file was not read to its end, the next Tail does not report
// ChangeNone.
func (t *Tail) Mark() (Mark, error) {
	if t.Change == ChangeGone {
		return Mark{}, nil
	}
	m := statMark(t.info)
	m.Offset, m.Lines = t.records.lines.Offset(), t.records.lines.Number()
	m.Odd = uint16(t.records.odd)
	if m.compared = t.start.compared; t.start.Offset == 0 {
		m.compared = m.Offset // this Tail has read it all
	}
	if t.Change != ChangeNone && !t.ended {
		m.Size = m.Offset
	}
	if m.Offset == t.start.Offset && t.start.Offset > 0 {
		m.Head, m.Tail, m.All = t.start.Head, t.start.Tail, t.start.All
		return m, nil
	}
	var err error
	if m.Head, err = sum(t.file, 0, min(m.Offset, markSpan), 0); err != nil {
		return Mark{}, err
	}
	if m.Tail, err = sum(t.file, max(0, m.Offset-markSpan), m.Offset, 0); err != nil {
		return Mark{}, err
	}
	if m.All, err = t.sums.upTo(m.Offset); err != nil {
		return Mark{}, err
	}
	return t.confirmed(m)
}

// confirmed spoils a Mark whose sums are not of the bytes that were read: the
// file changed in the meantime, and not only at its end. The next Tail then
// finds it replaced. One that grew is compared at both ends, as by a Mark: a
// long file that is written all the time must not be read twice each time.
//
// The system notes the time of a write before it copies the bytes. So a status
// that stayed the same proves nothing as long as it is new.
func (t *Tail) confirmed(m Mark) (Mark, error) {
	info, err := t.file.Stat()
	stayed := err == nil && statMark(info) == statMark(t.info)
	if err != nil || stayed && time.Since(info.ModTime()) > writeTime {
		return m, err
	}
	// What was read last is summed up by reading it again, so that All alone may be
	// of what came after it was given out.
	same, err := t.sameEnds()
	if same && err == nil && !stayed && info.Size() <= t.info.Size() {
		var all uint32
		all, err = sum(t.file, 0, m.Offset, 0)
		same = all == m.All
	}
	if !same {
		m.Head, m.All = ^m.Head, ^m.All
	}
	return m, err
}

// sameEnds reports whether the file still has both ends of what was read before
// this Tail, and of what it read itself.
func (t *Tail) sameEnds() (bool, error) {
	if same, err := t.start.sameEnds(t.file); err != nil || !same {
		return false, err
	}
	return t.sums.sameEnds()
}

// writeTime is longer than any write takes from its note to its last byte.
const writeTime = 2 * time.Second

// Stat returns the status of the file when it was opened. What the Tail reads is
// from that file, even if another one has its name by now.
func (t *Tail) Stat() Mark {
	if t.info == nil {
		return Mark{}
	}
	return statMark(t.info)
}

// Position returns the offset just after the line of the last entry that Next
// returned, and the number of lines before it. Unlike Mark it costs nothing.
func (t *Tail) Position() (offset int64, lines int) {
	if t.records == nil {
		return 0, 0
	}
	return t.records.lines.Offset(), t.records.lines.Number()
}

// Close closes the file.
func (t *Tail) Close() error {
	if t.file == nil {
		return nil
	}
	t.release()
	return t.file.Close()
}

// release hands the buffers on to the next reader.
func (t *Tail) release() {
	if t.records != nil {
		t.records.problem = nil
		t.records.given, t.records.used = appended{}, nil
		readers.Put(t.records)
		t.records = nil
	}
}

// sumReader sums the bytes of a file while they are read in order, so that a
// Mark over the whole file costs no second reading.
type sumReader struct {
	f io.ReaderAt
	sumTo
	// last is the sum one read earlier: a Mark ends inside what was read last.
	last sumTo
	// before is the sum the first read went on from, and first the one it led to.
	before, first sumTo
}

// sumTo is the sum of the bytes before a place.
type sumTo struct {
	at  int64
	crc uint32
}

func (r *sumReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.f.ReadAt(p, off)
	if off == r.at && n > 0 {
		r.last = r.sumTo
		r.crc = crc32.Update(r.crc, castagnoli(), p[:n])
		r.at += int64(n)
		if r.first.at == 0 {
			r.before, r.first = r.last, r.sumTo
		}
	}
	return n, err
}

// sameEnds reports whether the file still has what was read first and last.
func (r *sumReader) sameEnds() (bool, error) {
	first, err := sum(r.f, r.before.at, r.first.at, r.before.crc)
	if err != nil || first != r.first.crc {
		return false, err
	}
	last, err := sum(r.f, r.last.at, r.at, r.last.crc)
	return last == r.crc, err
}

// upTo is the sum of the bytes before offset.
func (r *sumReader) upTo(offset int64) (uint32, error) {
	switch {
	case offset >= r.at:
		return sum(r.f, r.at, offset, r.crc)
	case offset >= r.last.at:
		return sum(r.f, r.last.at, offset, r.last.crc)
	}
	return sum(r.f, 0, offset, 0)
}
