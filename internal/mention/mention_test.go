package mention_test

import (
	"bytes"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/mention"
)

const (
	id    = "4cf2a3f0-0d3b-4f0e-9a51-3b6a0d1c2e01"
	other = "4cf2a3f0-0d3b-4f0e-9a51-3b6a0d1c2e02"
)

func TestIn(t *testing.T) {
	f := mention.Set{
		Sessions: []sesskeep.SessionID{id}, Paths: []string{"/w/app", `/w/a "b"`}, Dirs: []sesskeep.ProjectKey{"-w-app"},
	}.Finder()
	for text, want := range map[string]bool{
		id:                                    true,
		strings.ToUpper(id):                   true,
		"a-b-" + id + ".jsonl":                true,
		other:                                 false,
		id[:35]:                               false,
		`{"project":"/w/app"}`:                true,
		`/w/app -> /w/new`:                    true,
		`{"project":"/w/app2"}`:               false,
		`{"project":"/w/app/sub"}`:            false,
		`{"project":"/w/app.old"}`:            false,
		`{"project":"/x/w/app"}`:              false,
		`{"project":"/w/a \"b\""}`:            true,
		`projects/-w-app/memory/MEMORY.md`:    true,
		`/h/projects/-w-app`:                  true,
		`projects/-w-app-2/x`:                 false,
		`projects/-w-app2`:                    false,
		"":                                    false,
		"--------------------------":          false,
		strings.Repeat("-", 5000) + id + "-x": true,
	} {
		if got := f.In([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A mention is found wherever it lies in a long text.
func TestInReader(t *testing.T) {
	f := mention.Set{Sessions: []sesskeep.SessionID{id}}.Finder()
	for at := 0; at < 600<<10; at += 4093 {
		text := bytes.Repeat([]byte("x"), 600<<10)
		copy(text[at:], id)
		if found, err := f.InReader(bytes.NewReader(text)); err != nil || !found {
			t.Fatalf("at %d: %v, %v", at, found, err)
		}
	}
	if found, _ := f.InReader(strings.NewReader(strings.Repeat("-", 600<<10))); found {
		t.Error("found in nothing")
	}
}
