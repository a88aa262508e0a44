package output

import (
	"bytes"
	"io"
	"iter"
	"math"
	"slices"
	"unicode/utf8"

	"sesskeep/homefs"
)

// windowSize is how much of an output is in memory, and overlap how much of a
// window is in the next one too: longer needles are found within lines only.
const (
	windowSize = 1 << 20
	overlap    = 4 << 10
)

// Window is a part of an output.
type Window struct {
	Offset int64
	Text   []byte // valid until the next one
}

// Windows gives a text in parts that overlap and, where it has lines, begin and
// end with them.
func Windows(f homefs.File, failed *error) iter.Seq[Window] {
	return func(yield func(Window) bool) {
		r := io.NewSectionReader(f, 0, math.MaxInt64)
		var buf []byte
		var offset int64
		for {
			var err error
			if buf, err = fillWindow(r, buf); err != nil && err != io.EOF {
				*failed = err
				return
			}
			end := len(buf)
			if err == nil {
				end = cut(buf, len(buf))
			}
			if end > 0 && !yield(Window{offset, buf[:end]}) || err == io.EOF {
				return
			}
			keep := cut(buf, end-overlap)
			offset += int64(keep)
			buf = append(buf[:0], buf[keep:]...)
		}
	}
}

// fillWindow reads until a window is full or the text ends.
func fillWindow(r io.Reader, buf []byte) ([]byte, error) {
	const first = 64 << 10
	for len(buf) < windowSize {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, max(first, cap(buf)))
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), windowSize)])
		buf = buf[:len(buf)+n]
		if err != nil {
			return buf, err
		}
	}
	return buf, nil
}

// cut finds a good place to cut a text at, at most half of it before the place
// that is wanted: behind a line, or else between two characters.
func cut(text []byte, at int) int {
	if i := bytes.LastIndexByte(text[at/2:at], '\n'); i >= 0 {
		return at/2 + i + 1
	}
	for least := at - utf8.UTFMax; at > least && at < len(text) && !utf8.RuneStart(text[at]); {
		at--
	}
	return at
}
