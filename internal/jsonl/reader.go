package jsonl

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// MaxLine is the most bytes a line may have, its line end not counted. Longer
// lines are skipped and reported.
const MaxLine = 64 << 20

// maxLine is MaxLine, but for tests.
var maxLine = MaxLine

const (
	// readSize is the most bytes asked for at once: larger reads fall out of
	// the processor's cache before they are scanned.
	readSize = 256 << 10

	// keepSize is the largest buffer kept for the next lines. Files with many
	// lines of a megabyte are common, larger lines are not.
	keepSize = 4 << 20
)

// Line is one line of a file without its line end.
type Line struct {
	// Bytes has no byte order mark, and no NUL, blank or carriage return at
	// either end. It is valid until the next call of Next or Reset. It is nil
	// if the line is TooLong and empty if the line is all NUL.
	Bytes []byte

	Offset int64 // where the line starts in the file
	Skip   int   // bytes trimmed at the front: Bytes starts at Offset+Skip
	Length int64 // bytes in the file, the line end included
	Number int   // lines before it, blank ones included
	Flaws  Flaw  // BOM, CRLF, NUL, BadUTF8 and TooLong
}

// Reader returns the lines of a file one at a time. Its memory stays bounded by
// MaxLine, whatever the file contains.
type Reader struct {
	src io.ReaderAt

	buf        []byte
	start, end int   // buf[start:end] was read and not yet returned
	read       int64 // file offset of buf[end]
	eof        bool  // there is nothing after read
	done       bool  // Next returned false
	err        error

	next   int64 // file offset of the next line
	number int   // of the next line
	line   Line
}

// NewReader returns a Reader of the lines from offset on, the first of them
// has the given number.
func NewReader(r io.ReaderAt, offset int64, number int) *Reader {
	lines := new(Reader)
	lines.Reset(r, offset, number)
	return lines
}

// Reset resets r to what NewReader returns, but keeps its buffer.
func (r *Reader) Reset(src io.ReaderAt, offset int64, number int) {
	*r = Reader{src: src, buf: r.buf, read: offset, next: offset, number: number}
}

// Next reads the next line that ends with a newline and is not blank. After
// it returned false, Err and Rest say where it stopped.
func (r *Reader) Next() bool {
	for {
		raw, ok := r.raw()
		if !ok {
			r.line, r.done = Line{}, true
			return false
		}
		r.line = r.frame(raw)
		r.next += r.line.Length
		r.number++
		if !r.line.blank() {
			return true
		}
	}
}

// Line returns the line that Next read.
func (r *Reader) Line() Line { return r.line }

// Rest returns the bytes after the last newline, if there are any that are not
// blank. They are a line still being written or one never finished; Offset
// stays at their start. Call Rest after Next returned false.
func (r *Reader) Rest() (Line, bool) {
	if !r.done || r.err != nil {
		return Line{}, false
	}
	raw := r.buf[r.start:r.end]
	if r.read-r.next > int64(maxLine) {
		raw = nil
	}
	l := r.frame(raw)
	return l, !l.blank()
}

// Offset returns where the next line starts: the end of the last line that
// Next returned or skipped.
func (r *Reader) Offset() int64 { return r.next }

// Number returns the number of the next line.
func (r *Reader) Number() int { return r.number }

// Err returns the error at which reading stopped; the end of the file is not one.
func (r *Reader) Err() error { return r.err }

// raw removes the next line from the buffer, with its newline. It is nil for a
// line that is too long, which is not kept.
func (r *Reader) raw() ([]byte, bool) {
	long := false
	seen := 0 // bytes of the window known to have no newline
	for {
		window := r.buf[r.start:r.end]
		if n := bytes.IndexByte(window[seen:], '\n'); n >= 0 {
			n += seen + 1
			r.start += n
			if long || n-1 > maxLine {
				return nil, true
			}
			return window[:n:n], true
		}
		seen = len(window)
		if long || seen > maxLine {
			long = true
			seen = 0
			r.start = r.end
		}
		if !r.fill() {
			return nil, false
		}
	}
}

// fill reads more bytes after the window, making room first.
func (r *Reader) fill() bool {
	if r.eof || r.err != nil {
		return false
	}
	r.makeRoom()
	want := min(len(r.buf)-r.end, readSize)
	n, err := r.src.ReadAt(r.buf[r.end:r.end+want], r.read)
	r.end += n
	r.read += int64(n)
	switch {
	case err == io.EOF:
		r.eof = true
	case err != nil:
		r.err = err
	case n == 0:
		r.err = io.ErrNoProgress
	}
	return n > 0
}

// makeRoom moves the window to the front of the buffer, and the buffer to a
// larger one if the window fills it or to a small one if it has become huge.
func (r *Reader) makeRoom() {
	size := len(r.buf)
	used := r.end - r.start
	switch {
	case size == 0 || size > keepSize && used < readSize/2:
		size = readSize
	case used == size:
		size = max(readSize, min(2*size, maxLine+1))
	case r.start == 0:
		return
	}
	to := r.buf
	if size != len(r.buf) {
		to = make([]byte, size)
	}
	copy(to, r.buf[r.start:r.end])
	r.buf, r.start, r.end = to, 0, used
}

// frame returns the Line of the raw bytes at r.next.
func (r *Reader) frame(raw []byte) Line {
	l := Line{Offset: r.next, Number: r.number, Length: int64(len(raw))}
	if raw == nil {
		l.Flaws = TooLong
		l.Length = r.read - int64(r.end-r.start) - r.next
		return l
	}
	b := raw
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
		if n > 1 && b[n-2] == '\r' {
			l.Flaws |= CRLF
		}
	}
	if r.next == 0 && bytes.HasPrefix(b, []byte("\ufeff")) {
		l.Flaws |= BOM
		l.Skip = len("\ufeff")
		b = b[l.Skip:]
	}
	b = l.trim(b)
	l.Bytes = b[:len(b):len(b)]
	if !utf8.Valid(b) {
		l.Flaws |= BadUTF8
	}
	return l
}

// NewLine returns a line that was cut out of a file by other means, without its line
// end, trimmed as a Reader does.
func NewLine(raw []byte, offset int64) Line {
	l := Line{Offset: offset, Length: int64(len(raw))}
	l.Bytes = l.trim(raw)
	return l
}

// trim removes NUL, blanks and carriage returns from both ends of b.
func (l *Line) trim(b []byte) []byte {
	i, j := 0, len(b)
	for i < j && trimmed(b[i]) {
		if b[i] == 0 {
			l.Flaws |= NUL
		}
		i++
	}
	for i < j && trimmed(b[j-1]) {
		if b[j-1] == 0 {
			l.Flaws |= NUL
		}
		j--
	}
	l.Skip += i
	return b[i:j]
}

func trimmed(c byte) bool { return c <= ' ' && (c == 0 || isSpace(c)) }

// blank reports whether the line is of no interest to a caller. A line of NULs is not
// blank: something was lost there.
func (l *Line) blank() bool { return len(l.Bytes) == 0 && l.Flaws&(NUL|TooLong) == 0 }
