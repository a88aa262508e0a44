package index

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/storetest"
)

// Files are counted by when they changed, and none of their rows is read for it:
// a home can have a million.
func TestCountUnchanged(t *testing.T) {
	c, err := storetest.Make(filepath.Join(t.TempDir(), "home"), storetest.S, 3)
	must(t, err)
	files, err := filepath.Glob(filepath.Join(c.Dir, "projects", "*", "*.jsonl"))
	must(t, err)
	cut := time.Now().Add(-24 * time.Hour).Truncate(time.Hour).Add(30 * time.Minute)
	for i, name := range files {
		at := cut.Add(time.Duration(i%3-1) * time.Hour)
		must(t, os.Chtimes(name, at, at))
	}
	x := openAt(t, "")
	defer x.Close()
	refreshAll(t, x, c.Dir)
	ctx := context.Background()
	for _, source := range []string{"", "all", "agent,helper"} {
		all, err := x.List(ctx, ask.Filter{Source: source})
		must(t, err)
		want := 0
		for i := range all.Sessions {
			if !all.Sessions[i].Ref.Modtime.After(cut) {
				want++
			}
		}
		f := ask.Filter{Homes: []ask.Home{homeAt(t, c.Dir)}, Source: source, Unchanged: cut}
		page, err := x.List(ctx, f)
		must(t, err)
		n, err := x.Count(ctx, f)
		must(t, err)
		if n != want || page.Total != want || len(page.Sessions) != want {
			t.Errorf("%q: %d are counted, %d of %d listed, want %d of %d", source, n, len(page.Sessions), page.Total, want, len(all.Sessions))
		}
		if source == "" && (want == 0 || want == len(all.Sessions)) {
			t.Errorf("%d of %d were not changed: nothing is distinguished", want, len(all.Sessions))
		}
	}
}
