package pages

import (
	"testing"

	"pgregory.net/rapid"

	"sesskeep/internal/keys"
)

// TestListWindow holds that the chosen row is always on the screen, and that no
// line is left empty while there are rows.
func TestListWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l List
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "resize") {
				l.Resize(rapid.IntRange(0, 50).Draw(t, "rows"))
			}
			l.Do(rapid.SampledFrom(Moves).Draw(t, "move"))
			height := rapid.IntRange(0, 20).Draw(t, "height")
			chosen := 0
			lines := l.View(height, func(i int, here bool) string {
				if here {
					chosen++
				}
				return ""
			})
			if want := min(l.Len, height); len(lines) != want {
				t.Fatalf("%d lines, want %d of %d rows in %d", len(lines), want, l.Len, height)
			}
			if want := min(1, len(lines)); chosen != want {
				t.Fatalf("row %d of %d: %d chosen rows on the screen, want %d", l.At, l.Len, chosen, want)
			}
		}
	})
}

func TestListMoves(t *testing.T) {
	l := List{Len: 100, Height: 10}
	for _, step := range []struct {
		move keys.Action
		want int
	}{
		{keys.Up, 0}, {keys.Down, 1}, {keys.PageDown, 10}, {keys.PageDown, 19}, {keys.PageUp, 10},
		{keys.End, 99}, {keys.Down, 99}, {keys.Top, 0},
	} {
		if !l.Do(step.move) || l.At != step.want {
			t.Fatalf("after %s: row %d, want %d", step.move, l.At, step.want)
		}
	}
	if l.Do(keys.Open) {
		t.Error("a list took a key that does not move")
	}
}
