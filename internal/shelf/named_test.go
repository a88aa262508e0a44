package shelf

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// A file outside of the home changes only if the act names it, and undo gives its bytes back.
func TestNamedFiles(t *testing.T) {
	w := (&world{old: tree{"a": "a"}}).build(t)
	dir := t.TempDir()
	named, other := filepath.Join(dir, "main.go"), filepath.Join(dir, "other.go")
	for _, path := range []string{named, other} {
		if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := w.shelf()
	plan := func(file string) Plan {
		p, _ := w.plans(Replace{File: file, Before: ContentOf([]byte("old")), From: Bytes([]byte("new"))})
		return p
	}
	if _, err := s.Do(context.Background(), plan(named)); err == nil {
		t.Fatal("a file outside of the home was changed without its name")
	}
	f, err := s.ReadNamed(w.home(), named)
	if err != nil || string(f.Data) != "old" {
		t.Fatalf("read %q, %v", f.Data, err)
	}
	p := plan(other)
	if p.Named = []string{f.Path}; s.Check(p) == nil {
		t.Error("another file than the named one could be changed")
	}
	p = plan(named)
	p.Named = []string{f.Path}
	a, err := s.Do(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(named); string(got) != "new" {
		t.Errorf("got %q", got)
	}
	back, err := s.Undo(context.Background(), a, Actor{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(context.Background(), back); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(named); string(got) != "old" {
		t.Errorf("after undo: %q", got)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left beside it: %v, %v", left, err)
	}
}

// A link that is put in the way after the plan leads nowhere.
func TestNamedFileBecomesLink(t *testing.T) {
	w := (&world{old: tree{"a": "a"}}).build(t)
	dir := t.TempDir()
	named, secret := filepath.Join(dir, "main.go"), filepath.Join(dir, "target")
	if err := os.WriteFile(secret, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := w.shelf().ReadNamed(w.home(), named)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, named); err != nil {
		t.Skip(err)
	}
	p, _ := w.plans(Replace{File: named, Before: ContentOf([]byte("old")), From: Bytes([]byte("new"))})
	p.Named = []string{f.Path}
	if _, err := w.shelf().Do(context.Background(), p); err == nil {
		t.Error("a link led out of what was named")
	}
	if got, _ := os.ReadFile(secret); string(got) != "old" {
		t.Errorf("got %q", got)
	}
}
