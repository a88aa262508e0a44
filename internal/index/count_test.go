package index_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/query"
)

// A count is what a search finds, however it was decided: by raw bytes or by
// decoded ones, in files with damage, with summaries and with copied lines.
func TestCountIsWhatSearchFinds(t *testing.T) {
	c, x, h := sharedHome(t)
	queries := []string{
		"the", "ee", "e", "zq", "error", "true", "12", "message", "type", "summary", "the -error", "the OR zq", "error line value",
		"/time(out|r)/", "/t.e/", `/\d{4}-\d\d/`, `"\""`, `"\n"`, "é", "検索", "role:user the", "project:a the", "-the", "source:user", "after:100d error",
	}
	rng := rand.New(rand.NewPCG(21, 22))
	for range 40 {
		_, text := randomText(t, rng, filepath.Join(c.Dir, c.Files[rng.IntN(len(c.Files))].Name))
		if text != "" {
			queries = append(queries, query.Q{Text: []query.Clause{{Any: []query.Atom{{Kind: query.Phrase, Text: text}}}}}.String())
		}
	}
	found := 0
	for _, text := range queries {
		q, err := query.Parse(text, time.Now())
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := search(t, x, h, ask.Search{Query: q, Bare: true})
		got := search(t, x, h, ask.Search{Query: q, Count: true})
		if got.HitCount != want.HitCount || got.Total != want.Total || !got.Complete || len(got.Results) > 0 {
			t.Errorf("%s: %d lines in %d sessions are counted, %d in %d found", text, got.HitCount, got.Total, want.HitCount, want.Total)
		}
		found += got.HitCount
	}
	if found < 10000 {
		t.Errorf("only %d lines were counted", found)
	}
}
