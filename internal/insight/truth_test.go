package insight_test

import (
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/app"
	"sesskeep/internal/insight"
	"sesskeep/internal/storetest/counted"
)

// Figures are those that a plain reader of the same files counts, over all homes that the
// real client wrote.
func TestTruth(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set")
	}
	homes, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no homes: %v", err)
	}
	var calls, failed, interrupted, compacted int
	for _, home := range homes {
		want, err := counted.Count(home)
		if os.IsNotExist(err) {
			continue
		}
		a, errOpen := app.Open(app.Options{Roots: []string{home}, Cache: t.TempDir()})
		if err != nil || errOpen != nil {
			t.Fatal(err, errOpen)
		}
		in, err := a.Insight.Count(t.Context(), insight.Query{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, filepath.Base(filepath.Dir(home)), &in, &want)
		for _, tool := range in.Tools {
			calls, failed = calls+tool.Calls, failed+tool.Errors
		}
		interrupted, compacted = interrupted+in.Waste.Interrupted.Count, compacted+in.Compacted.Count
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if calls == 0 || failed == 0 || interrupted == 0 || compacted == 0 {
		t.Errorf("%d calls, %d failed, %d interruptions, %d compactions: this compares nothing", calls, failed, interrupted, compacted)
	}
	t.Logf("%d homes: %d calls, %d failed, %d interruptions, %d compactions", len(homes), calls, failed, interrupted, compacted)
}

func compare(t *testing.T, name string, in *insight.Insights, want *counted.Facts) {
	t.Helper()
	if len(in.Tools) != len(want.Tools) {
		t.Errorf("%s: %d tools, want %d", name, len(in.Tools), len(want.Tools))
	}
	for _, tool := range in.Tools {
		w := want.Tools[tool.Tool]
		if w == nil || tool.Calls != w.Calls || tool.Errors != w.Failed || tool.P50 != percentile(w.Took, 0.5) || tool.P95 != percentile(w.Took, 0.95) {
			t.Errorf("%s: %+v, want %+v", name, tool, w)
		}
	}
	if in.LoopCount != want.Loops || in.Waste.Interrupted.Count != want.Interrupted || in.Compacted.Count != want.Compacted {
		t.Errorf("%s: %d loops, %d interruptions, %d compactions; want %d, %d, %d", name, in.LoopCount, in.Waste.Interrupted.Count, in.Compacted.Count,
			want.Loops, want.Interrupted, want.Compacted)
	}
}

// percentile is the first of sorted values that a part of them does not exceed.
func percentile(sorted []int64, part float64) int64 {
	for i, v := range sorted {
		if float64(i+1) >= part*float64(len(sorted)) {
			return v
		}
	}
	return 0
}
