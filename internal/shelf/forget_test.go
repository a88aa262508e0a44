package shelf

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/label"
	"sesskeep/internal/mention"
)

const (
	purgedID = "aaaaaaaa-0d3b-4f0e-9a51-3b6a0d1c2e01"
	keptID   = "bbbbbbbb-0d3b-4f0e-9a51-3b6a0d1c2e02"
)

// purgeWorld is a home and a data directory with one session that is purged and one that
// stays; every text of the first has the word "gone-".
type purgeWorld struct {
	home, data string
	clock      time.Time
}

func (w *purgeWorld) shelf() *Shelf {
	s := New(w.data, func() time.Time { w.clock = w.clock.Add(time.Second); return w.clock })
	s.linger = 0
	return s
}

func (w *purgeWorld) path(name string) string { return filepath.Join(w.home, filepath.FromSlash(name)) }

func newPurgeWorld(t *testing.T) *purgeWorld {
	t.Helper()
	w := &purgeWorld{home: t.TempDir(), data: t.TempDir(), clock: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	files := map[string]string{
		"projects/-w-gone-dir/" + purgedID + ".jsonl":          `{"text":"gone-line"}` + "\n",
		"projects/-w-gone-dir/" + purgedID + "/subagents/a":    "gone-agent",
		"session-env/" + purgedID + "/env.sh":                  "export A=gone-env",
		"projects/-w-kept/" + keptID + ".jsonl":                `{"text":"kept"}` + "\n",
		"history.jsonl":                                        `{"display":"gone-prompt","project":"/w/gone-dir"}` + "\n" + `{"display":"kept prompt","project":"/w/kept"}` + "\n",
		"settings.json":                                        "{}\n",
		"todos/" + purgedID + "-agent-" + purgedID + ".json":   `["gone-todo"]`,
		"projects/-w-kept/" + keptID + "/tool-results/out.txt": "kept",
	}
	for name, text := range files {
		check(t, os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
		check(t, os.WriteFile(w.path(name), []byte(text), 0o600))
	}
	s := w.shelf()
	for _, id := range []string{purgedID, keptID} {
		note := map[string]string{purgedID: "gone-note", keptID: "kept note"}[id]
		w.do(t, s, Plan{Verb: "note", Session: id, Steps: Steps{Label{Key: sesskeep.Key{Session: sesskeep.SessionID(id)}, Edit: func(l label.Label) (label.Label, error) {
			l.Note = note
			return l, nil
		}}}})
	}
	// An act about another project keeps all of history.jsonl.
	text, err := os.ReadFile(w.path("history.jsonl"))
	check(t, err)
	w.do(t, s, Plan{Verb: "project mv", What: "/w/kept -> /w/other", Steps: Steps{Replace{File: w.path("history.jsonl"), Before: ContentOf(text), From: Bytes(bytes.Replace(text, []byte("/w/kept"), []byte("/w/other"), 1))}}})
	w.do(t, s, Plan{Verb: "settings", Steps: Steps{Replace{File: w.path("settings.json"), Before: ContentOf([]byte("{}\n")), From: Bytes([]byte("{\"a\":1}\n"))}}})
	_, err = s.Note(t.Context(), Plan{Verb: "export", Home: w.home, Session: purgedID, What: "gone-title"})
	check(t, err)
	return w
}

func (w *purgeWorld) do(t *testing.T, s *Shelf, p Plan) Act {
	t.Helper()
	p.Home = w.home
	a, err := s.Do(context.Background(), p)
	check(t, err)
	return a
}

// plan purges the one session.
func (w *purgeWorld) plan(t *testing.T) Plan {
	t.Helper()
	text, err := os.ReadFile(w.path("history.jsonl"))
	check(t, err)
	var left []byte
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte("gone-")) {
			left = append(left, line...)
		}
	}
	p := Plan{Verb: "project purge", Home: w.home, What: "/w/gone-dir"}
	if !bytes.Equal(text, left) {
		p.Steps = append(p.Steps, Replace{File: w.path("history.jsonl"), Before: ContentOf(text), From: Bytes(left)})
	}
	for _, name := range []string{"projects/-w-gone-dir", "session-env/" + purgedID, "todos/" + purgedID + "-agent-" + purgedID + ".json"} {
		p.Steps = append(p.Steps, Erase{Path: w.path(name)})
	}
	key := sesskeep.Key{Session: purgedID}
	p.Steps = append(p.Steps, Forget{Keys: []sesskeep.Key{key}, Of: mention.Set{Sessions: []sesskeep.SessionID{purgedID}, Paths: []string{"/w/gone-dir"}, Dirs: []sesskeep.ProjectKey{"-w-gone-dir"}}})
	return p
}

// left lists the files that still have a byte of the session.
func (w *purgeWorld) left(t *testing.T) (names []string) {
	t.Helper()
	for _, dir := range []string{w.home, w.data} {
		check(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if strings.Contains(strings.TrimPrefix(path, dir), "gone-") {
				names = append(names, path)
			}
			if !e.Type().IsRegular() {
				return nil
			}
			text, err := os.ReadFile(path)
			if bytes.Contains(text, []byte("gone-")) {
				names = append(names, path)
			}
			return err
		}))
	}
	return names
}

// purged asserts that nothing of the session is left, and all of the other.
func (w *purgeWorld) purged(t *testing.T) {
	t.Helper()
	s := w.shelf()
	if left := w.left(t); len(left) > 0 {
		text, _ := os.ReadFile(left[0])
		t.Errorf("left in %q: %s", left, text)
	}
	if flaws, err := s.Verify(t.Context()); err != nil || len(flaws) > 0 {
		t.Errorf("the journal: %v, %v", flaws, err)
	}
	l, err := s.Labels().Of(t.Context(), sesskeep.Key{Session: keptID})
	if err != nil || l.Note != "kept note" {
		t.Errorf("the other label: %+v, %v", l, err)
	}
	for act, want := range map[int]error{1: ErrPurged, 3: ErrPurged, 6: ErrPurged} {
		if _, err := s.Journal.Find(t.Context(), act, []string{w.home}); !errors.Is(err, want) {
			t.Errorf("undo of %d: %v", act, err)
		}
	}
	a, err := s.Journal.Find(t.Context(), 4, []string{w.home})
	check(t, err)
	p, err := s.Undo(t.Context(), a, Actor{})
	check(t, err)
	w.do(t, s, p)
	// The labels come back of the new backup and the journal, without the one that went.
	check(t, os.Remove(filepath.Join(w.data, "labels.db")))
	all, err := s.Labels().All(t.Context())
	if err != nil || len(all) != 1 || all[sesskeep.Key{Session: keptID}].Note != "kept note" {
		t.Errorf("labels that were made again: %+v, %v", all, err)
	}
	if left := w.left(t); len(left) > 0 {
		t.Errorf("left later in %q", left)
	}
}

func TestForget(t *testing.T) {
	w := newPurgeWorld(t)
	s := w.shelf()
	before, err := s.Forgets(t.Context(), w.plan(t).Steps[4].(Forget))
	if err != nil || before.Labels != 1 || before.Backups != 1 || len(before.Acts) != 3 {
		t.Errorf("counted: %+v, %v", before, err)
	}
	w.do(t, s, w.plan(t))
	w.purged(t)
}

// TestForgetKilled kills the program at every point of a purge: the next act finishes it.
func TestForgetKilled(t *testing.T) {
	points := 0
	for n := 1; ; n++ {
		w := newPurgeWorld(t)
		s := w.shelf()
		plan := w.plan(t)
		left, killed := n, true
		s.data.at = func(string) error {
			if left--; left == 0 {
				runtime.Goexit() // nothing after it is done
			}
			return nil
		}
		over := make(chan bool)
		go func() {
			defer close(over)
			_, err := s.Do(context.Background(), plan)
			killed = false
			if err != nil {
				t.Error(err)
			}
		}()
		<-over
		s = w.shelf()
		_, err := s.Recover(t.Context())
		check(t, err)
		if last, err := s.Journal.last(); err != nil || last.ID == 6 && last.State != Done {
			t.Fatalf("point %d: %s, %s, %v", n, last.State, last.Problem, err)
		} else if last.ID < 6 { // it had not begun
			w.do(t, s, w.plan(t))
		}
		w.purged(t)
		if !killed {
			break
		}
		points++
	}
	if points < 15 {
		t.Errorf("only %d points", points)
	}
}

// A line that says it was emptied by a purge, and was not, is found.
func TestForgetForged(t *testing.T) {
	w := newPurgeWorld(t)
	s := w.shelf()
	w.do(t, s, w.plan(t))
	file := filepath.Join(w.data, "journal.jsonl")
	text, err := os.ReadFile(file)
	check(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		if !bytes.Contains(line, []byte(`"was"`)) {
			continue
		}
		forged := bytes.Replace(line, []byte(`"verb":"`), []byte(`"verb":"x`), 1)
		at := bytes.LastIndex(forged, []byte(sumStart))
		forged = append(withSum(append(bytes.Clone(forged[:at]), '}')), '\n')
		check(t, os.WriteFile(file, bytes.Join(append(append(append([][]byte{}, lines[:i]...), forged), lines[i+1:]...), nil), 0o600))
		if flaws, err := s.Verify(t.Context()); err != nil || len(flaws) == 0 {
			t.Errorf("line %d: %v, %v", i, flaws, err)
		}
	}
}

// Only what the client writes about sessions is erased.
func TestEraseGuard(t *testing.T) {
	w := newPurgeWorld(t)
	s := w.shelf()
	outside := t.TempDir()
	check(t, os.WriteFile(filepath.Join(outside, "x"), []byte("theirs"), 0o600))
	check(t, os.Symlink(outside, w.path("projects/-w-kept/link")))
	check(t, os.WriteFile(w.path("sessions.key"), []byte("x"), 0o600))
	for _, name := range []string{
		".", "projects", "settings.json", ".credentials.json", "history.jsonl", "ide/1.lock", "shell-snapshots/x", "../x",
		"projects/../settings.json", "projects/-w-kept/link/x", "session-env/" + purgedID + "/env.sh", "sessions/1.key",
	} {
		p := Plan{Verb: "purge", Home: w.home, Steps: Steps{Erase{Path: w.home + "/" + name}}}
		if _, err := s.Do(t.Context(), p); err == nil {
			t.Errorf("%s was erased", name)
		}
	}
	w.do(t, s, Plan{Verb: "purge", Steps: Steps{Erase{Path: w.path("projects/-w-kept")}}})
	if _, err := os.Stat(filepath.Join(outside, "x")); err != nil {
		t.Errorf("what a link leads to: %v", err)
	}
}
