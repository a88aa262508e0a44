package index_test

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
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
		want := search(t, x, h, ask.Search{Query: q, Bare: true, Hits: 1 << 30})
		got := search(t, x, h, ask.Search{Query: q, Count: true})
		if got.HitCount != want.HitCount || got.Total != want.Total || !got.Complete || len(got.Results) > 0 {
			t.Errorf("%s: %d lines in %d sessions are counted, %d in %d found", text, got.HitCount, got.Total, want.HitCount, want.Total)
		}
		found += got.HitCount
		checkFiles(t, text, search(t, x, h, ask.Search{Query: q, Files: true}), want)
		checkNoRows(t, text, search(t, x, h, ask.Search{Query: q, Files: true, Bare: true, NoRows: true}), search(t, x, h, ask.Search{Query: q, Files: true, Bare: true}))
	}
	if found < 10000 {
		t.Errorf("only %d lines were counted", found)
	}
}

// checkFiles compares the files of a search for files with those of all hits.
func checkFiles(t *testing.T, query string, files, hits ask.SearchPage) {
	t.Helper()
	type place struct{ session, file, agent string }
	of := func(page ask.SearchPage) map[place]bool {
		places := map[place]bool{}
		for _, r := range page.Results {
			for _, h := range r.Hits {
				places[place{r.SessionID(), h.File, h.AgentID}] = true
			}
		}
		return places
	}
	got, want := of(files), of(hits)
	// A hit of a summary is about another session, and names no agent.
	for p := range want {
		if !got[p] && !got[place{p.session, p.file, agentIn(p.file)}] {
			t.Errorf("%s: %v is missing among the files", query, p)
		}
	}
	if files.HitCount != hits.HitCount || files.Total != hits.Total || len(got) > len(want) {
		t.Errorf("%s: %d lines in %d sessions and %d files, found are %d in %d and %d", query, files.HitCount, files.Total, len(got), hits.HitCount, hits.Total, len(want))
	}
}

// checkNoRows compares the results of a search that wants no rows with those that have them.
func checkNoRows(t *testing.T, query string, got, want ask.SearchPage) {
	t.Helper()
	for i := range got.Results {
		if got.Results[i].Session.ID != "" {
			t.Fatalf("%s: a row was read", query)
		}
	}
	for i := range want.Results {
		want.Results[i].Session = ask.Row{Root: got.Results[i].Session.Root}
	}
	if !reflect.DeepEqual(got.Results, want.Results) || got.HitCount != want.HitCount || got.Total != want.Total {
		t.Errorf("%s: without rows %d results, %d hits and others than the %d with %d", query, len(got.Results), got.HitCount, len(want.Results), want.HitCount)
	}
}

func agentIn(file string) string {
	name, ok := strings.CutPrefix(strings.TrimSuffix(filepath.Base(file), ".jsonl"), "agent-")
	if !ok {
		return ""
	}
	return name
}
