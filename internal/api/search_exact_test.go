package api_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// manyFound is how many sessions writeMany writes.
const manyFound = 60

// writeMany writes sessions of which each says so much about a lighthouse that a search
// without exact=true stops before it has read them all.
func writeMany(w *world) {
	w.t.Helper()
	dir := filepath.Join(w.home, "projects", "-home-ada-src-coast")
	w.must(os.Mkdir(dir, 0o700))
	text := strings.Repeat("The beam of a lighthouse turns. ", 2000)
	for i := range manyFound {
		id := fmt.Sprintf("c0a57000-0000-4000-8000-%012d", i)
		line := fmt.Sprintf(`{"type":"user","uuid":"%s","parentUuid":null,"sessionId":"%s","timestamp":"2026-11-14T10:%02d:00.000Z","cwd":"/home/ada/src/coast","version":"2.1.325","message":{"role":"user","content":"%s"}}`+"\n", id, id, i, text)
		w.must(os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(line), 0o600))
	}
}

// A search that stopped at its budget says that its total is a lower bound. exact=true, a job,
// lists, counts, facets and acts all know the whole, and the same one, however long the page is.
func TestExactSearch(t *testing.T) {
	w := newWorld(t)
	writeMany(w)
	type found struct {
		Total, HitCount   int
		AtLeast, Complete bool
		Results           []jsonText
	}
	part := get[found](w, "/search?q=lighthouse&limit=2")
	if !part.AtLeast || part.Complete || part.Total >= manyFound || part.Total < 2 {
		t.Errorf("a search with a budget has at least %d of %d: %v, complete: %v", part.Total, manyFound, part.AtLeast, part.Complete)
	}
	whole := func(name string, got found) {
		t.Helper()
		if got.AtLeast || !got.Complete || got.Total != manyFound || got.HitCount != manyFound {
			t.Errorf("%s has %d sessions and %d hits of %d, at least: %v, complete: %v", name, got.Total, got.HitCount, manyFound, got.AtLeast, got.Complete)
		}
	}
	for _, path := range []string{"/search", "/projects/-home-ada-src-coast/sessions/search"} {
		for _, limit := range []int{2, 20, 500} {
			asked := fmt.Sprintf("%s?q=lighthouse&limit=%d", path, limit)
			got := get[found](w, asked+"&exact=true")
			if whole(asked, got); len(got.Results) != min(limit, manyFound) {
				t.Errorf("%s has %d results", asked, len(got.Results))
			}
		}
		begun := do[job](w, access.Read, http.MethodGet, path+"?q=lighthouse&limit=2&async=true", "", http.StatusAccepted)
		over := ended(w, begun.ID)
		var got found
		if over.Kind != "search" || over.State != "done" || !unmarshals(over.Result, &got) {
			t.Fatalf("the job is %+v", over)
		}
		whole("the job", got)
	}
	const asked = "q=lighthouse&source=all"
	if n := get[found](w, "/sessions?limit=7&"+asked).Total; n != manyFound {
		t.Errorf("the list counts %d", n)
	}
	if n := get[found](w, "/sessions/count?"+asked).Total; n != manyFound {
		t.Errorf("the count is %d", n)
	}
	facets := get[struct {
		Facets map[string][]struct{ Count int }
	}](w, "/sessions/facets?"+asked).Facets["project"]
	if len(facets) != 1 || facets[0].Count != manyFound {
		t.Errorf("the facets count %+v", facets)
	}
	act := `{"filter":{"q":"lighthouse","source":"all"},"operation":{"action":"archive"},"dryRun":true}`
	if n := len(do[struct{ Success []string }](w, access.Manage, http.MethodPost, "/sessions/bulk", act, 200).Success); n != manyFound {
		t.Errorf("an act would change %d", n)
	}
}
