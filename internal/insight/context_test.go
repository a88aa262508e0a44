package insight_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/insight"
	"sesskeep/internal/storetest/counted"
)

// What fills a context is what a plain reader of the same file finds that the API counted, and
// the kinds add up to it.
func TestContextTruth(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set")
	}
	homes, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no homes: %v", err)
	}
	answers, compactions := 0, 0
	for _, home := range homes {
		a, err := app.Open(app.Options{Roots: []string{home}, Cache: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		page, err := a.Catalog.List(t.Context(), ask.Filter{Source: "all", Archived: ask.ArchivedToo})
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Sessions {
			if row := &page.Sessions[i]; row.ConversationCount == 1 {
				target, err := a.Catalog.TargetOf(row)
				if err != nil {
					t.Fatal(err)
				}
				use, err := a.Insight.Context(t.Context(), insight.ContextQuery{Target: target})
				if err != nil {
					t.Fatal(err)
				}
				want, err := counted.Contexts(target.Store.Path(target.Ref.File), row.IsAgent)
				if err != nil {
					t.Fatal(err)
				}
				compareContext(t, target.Ref.File, &use, want)
				answers, compactions = answers+len(want), compactions+len(use.Compactions)
			}
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	if answers == 0 || compactions == 0 {
		t.Errorf("%d answers, %d compactions: this compares nothing", answers, compactions)
	}
	t.Logf("%d answers, %d compactions", answers, compactions)
}

func compareContext(t *testing.T, name string, use *insight.ContextUse, want []int64) {
	t.Helper()
	var got []int64
	for _, p := range use.Points {
		got = append(got, p.Tokens)
		k := &p.Kinds
		parts := []int64{k.System, k.Memory, k.Tools, k.MCP, k.Prompts, k.Summary, k.Answers, k.Thinking, k.Results, k.Unknown}
		var sum int64
		for _, n := range parts {
			sum += n
		}
		if sum != p.Tokens || slices.Min(parts) < 0 {
			t.Errorf("%s: answer %d: the kinds are %v, and the API counted %d", name, p.Number, parts, p.Tokens)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: contexts are %v, want %v", name, got, want)
	}
}
