package money

import (
	"slices"
	"testing"

	"sesskeep/internal/ask"
)

// The index adds messages up for the prices that are built in. If those change at
// other lengths of prompts, its bounds have to follow, and its version.
func TestSumBounds(t *testing.T) {
	if got := newMeter(nil).bounds; !slices.Equal(got, ask.SumBounds) {
		t.Errorf("prices change at %v, sums are kept for %v", got, ask.SumBounds)
	}
}
