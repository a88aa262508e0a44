package catalog

import (
	"os"
	"path/filepath"
	"testing"
)

// The index finds a session by its id or the beginning of it, and only what Find finds too:
// an id that two transcripts have, one that is no longer on the disk, a title and a part of a session are left to Find.
func TestNamedAgreesWithFind(t *testing.T) {
	const (
		whole   = "11111111-0000-4000-8000-000000000001"
		short   = "22222222"
		near    = "33333333-0000-4000-8000-000000000001"
		double  = "44444444-0000-4000-8000-000000000001"
		gone    = "55555555-0000-4000-8000-000000000001"
		capital = "AAAAAAAA-0000-4000-8000-000000000001"
	)
	home := t.TempDir()
	file := func(dir, id string) string {
		path := filepath.Join(home, "projects", dir, id+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		line := `{"type":"user","uuid":"u","cwd":"/w","timestamp":"2026-11-15T10:00:00.000Z","message":{"role":"user","content":"hello"}}` + "\n"
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("-w", whole)
	file("-v", short+"-0000-4000-8000-000000000001")
	file("-w", near)
	file("-w", near[:35]+"2")
	file("-w", double)
	file("-v", double)
	path := file("-w", gone)
	file("-w", capital)
	c := open(t, home, "")
	if _, err := c.Named(t.Context(), []string{whole}); err != nil { // the index has all of them
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{
		whole: true, short: true, near: true, "2222": true,
		near[:8]: false, double: false, gone: false, capital: false, "hello": false, whole + "#u": false, "222": false, "@last": false, whole + "@elsewhere": false,
	} {
		found, err := c.Named(t.Context(), []string{address, "nothing"})
		if err != nil {
			t.Fatal(err)
		}
		got, ok := found[address]
		if ok != want {
			t.Errorf("%s: found by the index: %v, want %v", address, ok, want)
		}
		if !ok {
			continue
		}
		if found, err := c.Find(t.Context(), address); err != nil || got.Ref.File != found.Ref.File || got.Ref.Session != found.Ref.Session || got.Store != found.Store {
			t.Errorf("%s: the index says %v, the disk %v, %v", address, got, found, err)
		}
	}
}
