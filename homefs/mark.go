package homefs

import (
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"sync"
)

// Mark says how far a file was read, and lets a later reader check that it is
// still the same file. The zero Mark is the start of any file.
type Mark struct {
	Device   uint64 `json:"device,omitempty"`
	Inode    uint64 `json:"inode,omitempty"`
	Size     int64  `json:"size"`
	Modtime  int64  `json:"modtime"`           // nanoseconds since 1970
	Changed  int64  `json:"changed,omitempty"` // ctime, nanoseconds
	Offset   int64  `json:"offset"`            // of the next line
	Lines    int    `json:"lines"`             // before Offset
	Head     uint32 `json:"head,omitempty"`    // sum of the first bytes
	Tail     uint32 `json:"tail,omitempty"`    // sum of the bytes before Offset
	All      uint32 `json:"all,omitempty"`     // sum of everything before Offset
	Reported uint16 `json:"odd,omitempty"`     // problems already reported for this file

	// compared is how much of the file this process has compared or read as a whole.
	// It is not written down: a Mark that comes from elsewhere has no history.
	compared int64
}

// markSpan is how much of either end of the read part is compared when a file
// has grown.
const markSpan = 4 << 10

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// Change says what happened to a file since a Mark.
type Change string

// The changes.
const (
	Same     Change = "same"     // nothing to read
	Grown    Change = "grown"    // continue from the Mark
	Replaced Change = "replaced" // forget what was read, start over
	Gone     Change = "gone"
)

// Stamp returns the status of a file or directory as a Mark with nothing read. The second
// result is false if there is no such file.
func (h *Home) Stamp(name string) (Mark, bool) {
	info := h.Stat(name)
	if info == nil {
		return Mark{}, false
	}
	return MarkOf(info), true
}

// Status is Stamp with the reason why there is no status, as Info has it.
func (h *Home) Status(name string) (Mark, error) {
	info, err := h.Info(name)
	if err != nil {
		return Mark{}, err
	}
	return MarkOf(info), nil
}

// MarkOf returns the status of a file as a Mark with nothing read. For a copy it is the
// status of the file that was copied, which the Sys of its information holds as a *Mark.
func MarkOf(info fs.FileInfo) Mark {
	if m, ok := info.Sys().(*Mark); ok {
		return m.Status()
	}
	file := inodeOf(info)
	return Mark{Size: info.Size(), Modtime: info.ModTime().UnixNano(), Device: file.Device, Inode: file.Number, Changed: file.Changed}
}

// Status returns the part of a Mark that comes from the file system, without what
// was read.
func (m Mark) Status() Mark {
	return Mark{Device: m.Device, Inode: m.Inode, Size: m.Size, Modtime: m.Modtime, Changed: m.Changed}
}

// Compare reports what happened to an open file since m, and its status now. It reads no more of the file than is needed. A Mark that [Mark.At] makes of
// that status remembers how much was compared.
func (m Mark) Compare(f File) (Change, Mark, error) {
	info, err := f.Stat()
	if err != nil {
		return "", Mark{}, err
	}
	change, err := m.compare(f, info)
	now := MarkOf(info)
	now.compared = m.compared
	return change, now, err
}

// At returns the Mark of a file with the status of m that was read up to offset.
// All is the [Sum] of everything before offset.
func (m Mark) At(f File, offset int64, all uint32) (_ Mark, err error) {
	compared := m.compared
	m = m.Status()
	m.Offset, m.All, m.compared = offset, all, compared
	if m.Head, err = sum(f, 0, min(offset, markSpan), 0); err != nil {
		return m, err
	}
	m.Tail, err = sum(f, max(0, offset-markSpan), offset, 0)
	return m, err
}

// Sum continues the sum of a file's bytes that a Mark holds.
func Sum(sum uint32, p []byte) uint32 { return crc32.Update(sum, castagnoli(), p) }

// touched reports whether the file's status is other than it was.
func (m Mark) touched(info fs.FileInfo) bool {
	now := MarkOf(info)
	now.Offset, now.Lines, now.Reported = m.Offset, m.Lines, m.Reported
	now.Head, now.Tail, now.All, now.compared = m.Head, m.Tail, m.All, m.compared
	return now != m
}

// compare decides what happened to f, which has the status info.
//
// A file that grew is compared at both ends of what was read, and as a whole if
// this process has not done so or much was added since: somebody may have edited it
// in place. One that kept its size but not its status was touched, as every resume
// does, or rewritten in place: only reading all of it can decide.
func (m *Mark) compare(f io.ReaderAt, info fs.FileInfo) (Change, error) {
	now := MarkOf(info)
	switch {
	case *m == Mark{}:
		return Grown, nil
	case !m.touched(info):
		return Same, nil
	case now.Device != m.Device || now.Inode != m.Inode || now.Size < m.Offset:
		return Replaced, nil
	}
	same, err := m.sameContent(f, now.Size)
	switch {
	case err != nil:
		return "", err
	case !same:
		return Replaced, nil
	}
	return Grown, nil
}

func (m *Mark) sameContent(f io.ReaderAt, size int64) (bool, error) {
	if size != m.Size && !m.due() {
		return m.sameEnds(f)
	}
	all, err := sum(f, 0, m.Offset, 0)
	m.compared = m.Offset
	return all == m.All, err
}

// comparedAtOnce is the size up to which a file is compared as a whole each time it
// grows: that takes less time than publishing the change.
const comparedAtOnce = 256 << 10

// due reports whether what was read is to be compared as a whole. A file that is
// read while it is written is, each time a fourth was added: what that costs is as
// little for each byte, however long the file is.
func (m *Mark) due() bool {
	return m.Offset <= comparedAtOnce || m.compared == 0 || m.Offset-m.compared >= m.compared/4
}

// sameEnds compares both ends of what was read.
func (m Mark) sameEnds(f io.ReaderAt) (bool, error) {
	head, err := sum(f, 0, min(m.Offset, markSpan), 0)
	if err != nil || head != m.Head {
		return false, err
	}
	tail, err := sum(f, max(0, m.Offset-markSpan), m.Offset, 0)
	return tail == m.Tail, err
}

// sum continues a sum over the bytes of f in [from, to). Bytes that are not
// there any more make another sum than they made before.
func sum(f io.ReaderAt, from, to int64, crc uint32) (uint32, error) {
	buf := sumBuffers.Get().(*[sumBuffer]byte)
	defer sumBuffers.Put(buf)
	for from < to {
		n, err := f.ReadAt(buf[:min(to-from, sumBuffer)], from)
		crc = Sum(crc, buf[:n])
		from += int64(n)
		switch {
		case errors.Is(err, io.EOF) && from < to:
			return ^crc, nil
		case err != nil && !errors.Is(err, io.EOF):
			return crc, err
		}
	}
	return crc, nil
}

const sumBuffer = 32 << 10

// sumBuffers keeps buffers between files: every one is summed at both ends.
var sumBuffers = sync.Pool{New: func() any { return new([sumBuffer]byte) }}
