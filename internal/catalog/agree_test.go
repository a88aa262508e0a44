package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/query"
)

// largeHome has sessions with a word at their beginning, and more text behind it than a
// page of a search reads.
func largeHome(t *testing.T, sessions int) string {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "projects", "-w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat("nothing but words, nosplitting ", 2*SearchBudget/sessions/31)
	for n := range sessions {
		text := fmt.Sprintf(`{"type":"user","uuid":"u%[1]d","cwd":"/w","timestamp":"2026-11-15T10:%02[1]d:00.000Z","message":{"role":"user","content":"nosplit"}}
{"type":"assistant","uuid":"a%[1]d","parentUuid":"u%[1]d","timestamp":"2026-11-15T10:%02[1]d:01.000Z","message":{"id":"m%[1]d","role":"assistant","model":"x","content":[{"type":"text","text":%[2]q}]}}
`, n, filler)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("11111111-0000-4000-8000-%012d.jsonl", n)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// A list of a query, its pages, its count and its facets have the same sessions, all of
// them, however much has to be read.
func TestListsOfQueryAgree(t *testing.T) {
	const sessions = 24
	c := open(t, largeHome(t, sessions), "")
	for text, want := range map[string]int{
		"nosplit -nosplitting": sessions, "nosplit": sessions, "role:assistant nosplitting": sessions, "has:error": 0, "tool:Bash": 0, `"but words" model:x`: sessions,
	} {
		q, err := query.Parse(text, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		f := ask.Filter{Now: time.Now(), Limit: 10}
		Demand(&f, q)
		listed, total := 0, 0
		for {
			page, err := c.List(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if page.Complete == nil || !*page.Complete {
				t.Errorf("%s: a part", text)
			}
			listed, total = listed+len(page.Sessions), page.Total
			if f.Cursor = page.Next; !page.HasMore {
				break
			}
		}
		f.Cursor = ""
		facets, err := c.Facets(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		counted := 0
		for _, v := range facets.Facets["source"] {
			counted += v.Count
		}
		if listed != want || total != want || counted != want {
			t.Errorf("%s: %d listed, %d in total, %d by facets, want %d", text, listed, total, counted, want)
		}
	}
}
