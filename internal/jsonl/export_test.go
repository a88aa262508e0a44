package jsonl

import "testing"

// SetMaxLine lowers the longest line for one test.
func SetMaxLine(t testing.TB, n int) {
	t.Helper()
	old := maxLine
	maxLine = n
	t.Cleanup(func() { maxLine = old })
}

// BufferSize returns how much memory r holds.
func (r *Reader) BufferSize() int { return len(r.buf) }

// MaxBad is the number of bad pieces of a line that are told apart.
const MaxBad = maxBad
