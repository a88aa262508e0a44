package query

import "testing"

// TestFoldTable makes the table again that is written down.
func TestFoldTable(t *testing.T) {
	for i := range folded {
		r, got := rune(i), rune(folded[i])
		if want := foldOrbit(r); got != want {
			t.Errorf("%q is folded to %q, want %q", r, got, want)
		}
	}
}
