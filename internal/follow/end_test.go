package follow

import (
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/storetest"
)

// The end of a file is where reading all of its lines ends.
func TestEndOf(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/a.jsonl --\n{\"type\":\"user\"}\n\nnot json\n\x00\x00\n{\"type\":\"user\"}\n")
	hostile := t.TempDir()
	if _, err := storetest.Hostile(hostile); err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, root := range []string{home, hostile} {
		s, err := sesskeep.Open(root)
		if err != nil {
			t.Fatal(err)
		}
		refs, err := s.Find("")
		if err != nil {
			t.Fatal(err)
		}
		for _, ref := range refs {
			tail, err := s.Tail(ref.File, homefs.Mark{})
			if err != nil {
				continue
			}
			for _, ok := tail.Next(); ok; _, ok = tail.Next() {
			}
			offset, lines := tail.Position()
			if got, err := endOf(s, ref.File); err != nil || got.Offset != offset || got.Line != lines {
				t.Errorf("%s ends at %+v (%v), want %d, line %d", ref.File, got, err, offset, lines)
			}
			files++
			if err := tail.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if files < 5 {
		t.Errorf("only %d files", files)
	}
}
