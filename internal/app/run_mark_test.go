package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/follow"
	"sesskeep/internal/holder"
)

// G-58: what a run was allowed to do is in the journal too, with the same input.
func TestCheckRuns(t *testing.T) {
	dir := t.TempDir()
	runs := holder.Store{Dir: RunsDir(dir)}
	if err := os.MkdirAll(filepath.Join(runs.Dir, "r3"), 0o700); err != nil {
		t.Fatal(err)
	}
	life := `{"timestamp":"2026-11-15T17:06:02.000Z","event":"answered","tool":"Bash","inputHash":"0123456789abcdef","behavior":"allow","by":"cli"}
{"timestamp":"2026-11-15T17:06:03.000Z","event":"answered","tool":"Bash","inputHash":"fedcba9876543210","behavior":"deny","by":"the time limit"}
`
	if err := os.WriteFile(runs.LifeFile("r3"), []byte(life), 0o600); err != nil {
		t.Fatal(err)
	}
	journal := NewShelf(dir, time.Now)
	found, err := checkRuns(journal, runs)
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Meaning, "allowed to use Bash") {
		t.Fatalf("%+v, %v", found, err)
	}
	r := NewRuns(RunsOptions{Dir: runs.Dir, Journal: journal, Client: func() (string, error) { return "", ErrNoClient }})
	note := func(hash string) {
		t.Helper()
		item := InboxItem{RunPrompt: RunPrompt{Tool: "Bash"}, RunID: "r3"}
		if err := r.noteAnswer(t.Context(), verbAllow, &item, &Answer{Hash: hash, Scope: "always"}, Actor{From: "api"}); err != nil {
			t.Fatal(err)
		}
	}
	note("another input")
	if found, err := checkRuns(journal, runs); err != nil || len(found) != 1 {
		t.Errorf("the note about another input counts: %+v, %v", found, err)
	}
	note("0123456789abcdef")
	if found, err := checkRuns(journal, runs); err != nil || len(found) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Runs that cannot be read are named to those who watch, and once more when they can.
func TestWatchUnreadRuns(t *testing.T) {
	dir := RunsDir(t.TempDir())
	file := filepath.Join(dir, "r1", "run.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("{"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := NewRuns(RunsOptions{Dir: dir, Client: func() (string, error) { return "", ErrNoClient }})
	var told [][]string
	over := errors.New("over")
	err := r.Watch(t.Context(), func(n RunNews) error {
		if n.Unread == nil {
			return nil
		}
		if told = append(told, n.Unread); len(told) == 2 {
			return over
		}
		return os.WriteFile(file, []byte(`{"id":"r1"}`), 0o600)
	})
	if !errors.Is(err, over) || len(told[0]) != 1 || !strings.Contains(told[0][0], file) || len(told[1]) != 0 {
		t.Errorf("%q, %v", told, err)
	}
}

// A list of processes says which runs it could not look at.
func TestMarkRunsUnread(t *testing.T) {
	data := t.TempDir()
	file := filepath.Join(RunsDir(data), "r1", "run.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("{"), 0o600)); err != nil {
		t.Fatal(err)
	}
	a := &App{opts: Options{Data: data}}
	a.markRuns(t.Context(), follow.ProcessPage{Sessions: make([]follow.Process, 1)})
	if unread := a.Unread(); len(unread) != 1 || !strings.Contains(unread[0].Error(), file) {
		t.Errorf("%v", unread)
	}
}
