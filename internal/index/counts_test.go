package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/ask"
)

// What a list counts is remembered, and never longer than it holds: not when another
// process writes, when a session is put away, nor when the index is rebuilt.
func TestCountsAreRemembered(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	add := func(n int) {
		t.Helper()
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", n)
		name := filepath.Join(home, "projects", "-w", id+".jsonl")
		line := fmt.Sprintf(`{"type":"user","uuid":"u%d","parentUuid":null,"sessionId":%q,"cwd":"/w","message":{"role":"user","content":"hi"}}`+"\n", n, id)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add(1)
	one, other := openAt(t, cache), openAt(t, cache)
	defer one.Close()
	defer other.Close()
	refreshAll(t, one, home)
	check := func(total, archived int) {
		t.Helper()
		for range 2 { // the second time what the first one counted
			page, err := one.List(context.Background(), ask.Filter{Homes: []ask.Home{homeAt(t, home)}, Limit: 1})
			if err != nil || page.Total != total || page.Hidden["archived"] != archived {
				t.Errorf("%d sessions, %v hidden (%v), want %d and %d archived", page.Total, page.Hidden, err, total, archived)
			}
		}
	}
	check(1, 0)
	add(2)
	refreshAll(t, other, home)
	check(2, 0)
	put := []ask.Label{{ID: "00000001-0000-4000-8000-000000000000", Archived: time.Unix(1_800_000_000, 0)}}
	if _, err := other.MirrorLabels(context.Background(), home, "g1", func() ([]ask.Label, error) { return put, nil }); err != nil {
		t.Fatal(err)
	}
	check(1, 1)
	if err := one.Rebuild(context.Background()); err != nil {
		t.Fatal(err)
	}
	check(0, 0)
}

// BenchmarkPageAgain is a page of a list that is asked for again and again.
func BenchmarkPageAgain(b *testing.B) {
	x := openAt(b, b.TempDir())
	defer x.Close()
	for b.Loop() {
		if _, err := x.List(b.Context(), ask.Filter{Homes: []ask.Home{homeAt(b, b.TempDir())}, Limit: 50}); err != nil {
			b.Fatal(err)
		}
	}
}
