package pages

import (
	"testing"

	"sesskeep/internal/ask"
)

// Progress does not fall when an answer comes late, and an end is an end.
func TestPartOnlyGrows(t *testing.T) {
	var w World
	part := func(files, total int) ask.Coverage {
		return ask.Coverage{Reading: &ask.Progress{Files: files, Total: total}}
	}
	for _, step := range []struct {
		set  ask.Coverage
		want string
	}{
		{part(30, 70), "reading 30 of 70 files"},
		{part(20, 70), "reading 30 of 70 files"},
		{part(40, 70), "reading 40 of 70 files"},
		{part(1, 9), "reading 1 of 9 files"}, // another reading
		{ask.Coverage{Complete: true}, ""},
	} {
		w.SetPart(step.set)
		if got := w.Part().String(); got != step.want {
			t.Errorf("after %v: %q, want %q", step.set.Reading, got, step.want)
		}
	}
}
