package app_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
)

// realHome opens a home that the real client wrote.
func realHome(t *testing.T, scenario string) *app.App {
	t.Helper()
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED is not set: the homes of the real client are not checked")
	}
	a, err := app.Open(app.Options{Roots: []string{filepath.Join(shared, "corpus", "real-client", scenario, ".claude")}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Which session a fork was taken from is nowhere written.
func TestForksOfTheRealClient(t *testing.T) {
	for _, test := range []struct{ scenario, fork, from string }{
		{"p03-resume-fork", "edfa2824-9ab9-445f-b180-8bce45a408d5", "00000000-0000-4000-8000-000000000301"},
		{"p03-resume-fork", "00000000-0000-4000-8000-000000000302", "00000000-0000-4000-8000-000000000301"},
		{"p03-resume-fork", "00000000-0000-4000-8000-000000000301", ""},
		{"p06-subagents", "4a1d1069-d552-4978-9a17-6679b7ab1744", "f4f06b75-e3cd-42af-acac-70567e2456d6"},
		{"v1.0.128", "81cc8965-9ffd-4ea6-b896-262e2e95a6f4", "c283c99a-5878-404f-924c-886887d1e0bf"},
		{"v2.0.31", "ad3bf9bf-35bb-40d9-a0d1-0f77d57dc835", "4bb4729f-2fe4-4fcc-9a62-34b5451ea5b0"},
	} {
		c, err := realHome(t, test.scenario).Catalog.Snapshot(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		page, err := c.List(context.Background(), ask.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Sessions {
			if r.ID == test.fork && r.ForkedFrom != test.from {
				t.Errorf("%s: %s is forked from %q, want %q", test.scenario, r.ID, r.ForkedFrom, test.from)
			}
		}
	}
}
