package homefs

import (
	"hash/crc32"
	"io/fs"
	"time"
)

// Reader reads a file from a Mark on. It sums the bytes while they are read in order, so
// that the next Mark, which covers the whole file, costs no second reading.
type Reader struct {
	// Change is what happened to the file since the Mark.
	Change Change

	f     File
	info  fs.FileInfo
	start Mark
	sumTo
	// last is the sum one read earlier: a Mark ends inside what was read last.
	last sumTo
	// before is the sum that the first read continued, and first the one it led to.
	before, first sumTo
}

// sumTo is the sum of the bytes before an offset.
type sumTo struct {
	at  int64
	crc uint32
}

// Resume compares an open file with a Mark of it, and returns a Reader for what follows.
func Resume(f File, m Mark) (*Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	change, err := m.compare(f, info)
	if err != nil {
		return nil, err
	}
	if change == Replaced {
		m = Mark{}
	}
	return &Reader{Change: change, f: f, info: info, start: m, sumTo: sumTo{m.Offset, m.All}}, nil
}

// Start returns the Mark from which the file is read: the zero Mark if the file was replaced.
func (r *Reader) Start() Mark { return r.start }

// Status returns the status of the file when it was opened, as a Mark
// at the start of the file.
func (r *Reader) Status() Mark { return MarkOf(r.info) }

// ReadAt reads from the file. Reads in order are summed.
func (r *Reader) ReadAt(p []byte, off int64) (int, error) {
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

// Mark returns the Mark of a file that was read up to offset, which is after the given
// number of lines. If all is false, the rest was not read, and the next Reader does not
// report Same.
func (r *Reader) Mark(offset int64, lines int, all bool) (Mark, error) {
	m := MarkOf(r.info)
	m.Offset, m.Lines = offset, lines
	if m.compared = r.start.compared; r.start.Offset == 0 {
		m.compared = m.Offset // this Reader has read it all
	}
	if r.Change != Same && !all {
		m.Size = m.Offset
	}
	if m.Offset == r.start.Offset && r.start.Offset > 0 {
		m.Head, m.Tail, m.All = r.start.Head, r.start.Tail, r.start.All
		return m, nil
	}
	var err error
	if m.Head, err = sum(r.f, 0, min(m.Offset, markSpan), 0); err != nil {
		return Mark{}, err
	}
	if m.Tail, err = sum(r.f, max(0, m.Offset-markSpan), m.Offset, 0); err != nil {
		return Mark{}, err
	}
	if m.All, err = r.upTo(m.Offset); err != nil {
		return Mark{}, err
	}
	return r.confirmed(m)
}

// confirmed spoils a Mark whose sums are not of the bytes that were read: the
// file changed in the meantime, and not only at its end. The next Reader then
// finds it replaced. One that grew is compared at both ends, as by a Mark: a
// long file that is written all the time must not be read twice each time.
//
// The system notes the time of a write before it copies the bytes. So a status
// that stayed the same proves nothing as long as it is new.
func (r *Reader) confirmed(m Mark) (Mark, error) {
	info, err := r.f.Stat()
	stayed := err == nil && MarkOf(info) == MarkOf(r.info)
	if err != nil || stayed && time.Since(info.ModTime()) > writeTime {
		return m, err
	}
	// What was read last is summed up by reading it again, so that All alone may be
	// of what came after it was returned.
	same, err := r.sameEnds()
	if same && err == nil && !stayed && info.Size() <= r.info.Size() {
		var all uint32
		all, err = sum(r.f, 0, m.Offset, 0)
		same = all == m.All
	}
	if !same {
		m.Head, m.All = ^m.Head, ^m.All
	}
	return m, err
}

// writeTime is longer than any write takes from its note to its last byte.
const writeTime = 2 * time.Second

// sameEnds reports whether the file still has both ends of what was read before
// this Reader, and of what it read itself.
func (r *Reader) sameEnds() (bool, error) {
	if same, err := r.start.sameEnds(r.f); err != nil || !same {
		return false, err
	}
	first, err := sum(r.f, r.before.at, r.first.at, r.before.crc)
	if err != nil || first != r.first.crc {
		return false, err
	}
	last, err := sum(r.f, r.last.at, r.at, r.last.crc)
	return last == r.crc, err
}

// upTo is the sum of the bytes before offset.
func (r *Reader) upTo(offset int64) (uint32, error) {
	switch {
	case offset >= r.at:
		return sum(r.f, r.at, offset, r.crc)
	case offset >= r.last.at:
		return sum(r.f, r.last.at, offset, r.last.crc)
	}
	return sum(r.f, 0, offset, 0)
}
