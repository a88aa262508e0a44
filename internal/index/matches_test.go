package index_test

import (
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// What a list found by a text is remembered, and not longer than it is true.
func TestMatchesAreRemembered(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/"+storetest.PaidID+".jsonl --\n"+storetest.Paid(0, "begin"))
	x, h := open(t, t.TempDir(), home, index.Options{})
	name := filepath.Join(home, "projects", "-w", storetest.PaidID+".jsonl")
	for want := range 2 {
		for range 2 {
			keys, complete, err := x.Matches(t.Context(), []ask.Home{h}, ask.Search{Query: phrase(t, "appendix")})
			if err != nil || len(keys) != want || !complete {
				t.Errorf("%d rows, complete %v (%v), want %d", len(keys), complete, err, want)
			}
		}
		file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		storetest.Must(t, err)
		_, err = file.WriteString(storetest.Paid(1, "appendix"))
		storetest.Must(t, err)
		storetest.Must(t, file.Close())
		_, err = x.Walk(t.Context(), []ask.Home{h}, index.Options{})
		storetest.Must(t, err)
	}
}
