package draw_test

import (
	"testing"

	"sesskeep/internal/draw"
	"sesskeep/internal/term"
)

// Every state has a glyph of its own, of one cell, in both alphabets.
func TestState(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		seen := map[string]bool{"": true}
		for _, word := range []string{"needs you", "working", "your turn", "idle", "unclean", "ended"} {
			glyph, _ := draw.State(term.Screen{ASCII: ascii}, word)
			if seen[glyph] || term.Width(glyph) != 1 || ascii && glyph[0] > '~' {
				t.Errorf("%s: %q", word, glyph)
			}
			seen[glyph] = true
		}
	}
	if glyph, style := draw.State(term.Screen{}, "dancing"); glyph != "" || style != 0 {
		t.Errorf("got %q, %v", glyph, style)
	}
}
