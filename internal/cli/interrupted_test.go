package cli

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// interrupted is a world in which a session was moved to the trash, and a crash came
// after the first of its files.
func interrupted(t *testing.T) *ownWorld {
	t.Helper()
	w := newOwnWorld(t)
	w.run(0, "session", "trash", "1111")
	found, err := filepath.Glob(filepath.Join(w.data, "trash", "*", "files", "projects", "-w", "1*.jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	must(t, os.Rename(found[0], filepath.Join(w.home, "projects", "-w", filepath.Base(found[0]))))
	w.cutJournal()
	return w
}

// cutJournal takes the last line away.
func (w *ownWorld) cutJournal() {
	w.t.Helper()
	file := filepath.Join(w.data, "journal.jsonl")
	text, err := os.ReadFile(file)
	must(w.t, err)
	text = bytes.TrimSuffix(text, []byte("\n"))
	must(w.t, os.WriteFile(file, text[:bytes.LastIndexByte(text, '\n')+1], 0o600))
}

const halfDone = "change 1 (trash) of 11111111-0000-4000-8000-000000000000"

// Whoever only reads says which change is half done, and leaves it so.
func TestReadingLeavesInterrupted(t *testing.T) {
	w := interrupted(t)
	w.run(0, "ls", "--all") // for the list of homes, which is ours
	before := w.stores()
	for _, args := range [][]string{
		{"ls", "--all"}, {"show", "2222"}, {"search", "one"}, {"log"}, {"undo", "--list"}, {"trash", "ls"}, {"keep", "status"}, {"stats"},
		{"session", "star", "2222", "--dry-run"}, {"undo", "--dry-run", "1"},
	} {
		_, stderr := w.try(args...)
		if !strings.Contains(stderr, halfDone) || !strings.Contains(stderr, "was interrupted and is half done: the next change finishes it or takes it back") {
			t.Errorf("%v says %q", args, stderr)
		}
		if after := w.stores(); !maps.Equal(before, after) {
			t.Fatalf("%v changed something: %v, was %v", args, after, before)
		}
	}
	out, stderr := w.run(0, "trash", "ls", "--json")
	if !strings.Contains(out, `"fileCount": 1`) || !strings.Contains(out, `"missingCount": 1`) || !strings.Contains(stderr, "1 of 2 files are not there") {
		t.Errorf("the trash: %s%s", out, stderr)
	}

	_, stderr = w.run(0, "session", "star", "2222")
	if !strings.Contains(stderr, halfDone) || !strings.Contains(stderr, "was interrupted and has been finished now") {
		t.Errorf("the next change says %q", stderr)
	}
	out, stderr = w.run(0, "trash", "ls", "--json")
	if !strings.Contains(out, `"fileCount": 2`) || strings.Contains(out, "missingCount") || stderr != "" {
		t.Errorf("the trash after that: %s%s", out, stderr)
	}
}

// A server finishes it when it starts.
func TestServeFinishesInterrupted(t *testing.T) {
	w := interrupted(t)
	ctx, cancel := context.WithCancel(t.Context())
	said := &screen{}
	env := w.env(said, said)
	done := make(chan int, 1)
	go func() { done <- execute(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--max-runs", "1"}, env) }()
	for end := time.Now().Add(time.Minute); !strings.Contains(said.String(), "serving at") && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if !strings.Contains(said.String(), "was interrupted and has been finished now") {
		t.Errorf("it said %s", said)
	}
	cancel()
	<-done
	if out, stderr := w.run(0, "trash", "ls", "--json"); !strings.Contains(out, `"fileCount": 2`) || stderr != "" {
		t.Errorf("the trash after that: %s%s", out, stderr)
	}
}
