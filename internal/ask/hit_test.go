package ask_test

import (
	"testing"

	"sesskeep/internal/ask"
)

// A match is counted in characters as Swift counts them, whatever they are made of.
func TestFirstMatch(t *testing.T) {
	for _, c := range []struct {
		text          string
		mark          [2]int // in code points
		start, length int
	}{
		{"👨‍👩‍👧‍👦🇫🇷 café naïve 日本語 👍🏽 zebrafinch", [2]int{28, 10}, 20, 10},
		{"cafe\u0301 noir", [2]int{6, 4}, 5, 4}, // the accent is a code point of its own
		{"cafe\u0301", [2]int{3, 1}, 3, 1},      // the match ends within a character
		{"👨‍👩‍👧‍👦 x", [2]int{2, 1}, 0, 1},       // and begins within one
		{"a\r\nb", [2]int{3, 1}, 2, 1},
		{"plain text", [2]int{6, 4}, 6, 4},
		{"torn \xff\xfe text", [2]int{8, 4}, 8, 4},
	} {
		h := ask.Hit{Text: c.text, Marks: [][2]int{c.mark}}
		if start, length := h.FirstMatch(); start != c.start || length != c.length {
			t.Errorf("%q at %v: %d, %d; want %d, %d", c.text, c.mark, start, length, c.start, c.length)
		}
	}
	if start, length := new(ask.Hit).FirstMatch(); start != 0 || length != 0 {
		t.Errorf("without a match: %d, %d", start, length)
	}
}
