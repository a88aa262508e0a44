package files

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

const session = "11111111-0000-4000-8000-000000000000"

// newStage has a home in which a session wrote and edited a file of a project, and others changed it since.
func newStage(t *testing.T) (s *pagetest.Stage, file string, opened *[]At) {
	t.Helper()
	work := t.TempDir()
	file = filepath.Join(work, "a.go")
	quoted := func(v string) string { b, _ := json.Marshal(v); return string(b) }
	lines := strings.NewReplacer("WORK", work, "FILE", quoted(file)).Replace(`
-- projects/-w/` + session + `.jsonl --
{"parentUuid":null,"cwd":"WORK","type":"user","message":{"role":"user","content":"write it"},"uuid":"u1","timestamp":"2026-11-14T09:00:00.000Z"}
{"parentUuid":"u1","cwd":"WORK","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":FILE,"content":"one\ntwo\n"}}]},"uuid":"a1a1a1a1","timestamp":"2026-11-14T09:00:01.000Z"}
{"parentUuid":"a1a1a1a1","cwd":"WORK","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]},"toolUseResult":{"type":"create","filePath":FILE,"content":"one\ntwo\n","originalFile":null,"structuredPatch":[]},"uuid":"r1","timestamp":"2026-11-14T09:00:02.000Z"}
{"parentUuid":"r1","cwd":"WORK","type":"user","message":{"role":"user","content":"make it \u001b[31mbetter"},"uuid":"u2","timestamp":"2026-11-14T10:00:00.000Z"}
{"parentUuid":"u2","cwd":"WORK","type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":FILE,"old_string":"two","new_string":"\u001b[2Jtwo!"}}]},"uuid":"a2a2a2a2","timestamp":"2026-11-14T10:00:01.000Z"}
{"parentUuid":"a2a2a2a2","cwd":"WORK","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"done"}]},"toolUseResult":{"filePath":FILE,"oldString":"two","newString":"\u001b[2Jtwo!","originalFile":"one\ntwo\n","structuredPatch":[]},"uuid":"r2","timestamp":"2026-11-14T10:00:02.000Z"}
`)
	home, data := storetest.Home(t, lines), t.TempDir()
	s = pagetest.NewStage(t, home, term.Screen{TTY: true})
	a, err := app.Open(app.Options{Roots: []string{home}, Data: data, Shelf: shelf.New(data, s.W.Now), Now: s.W.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	s.W.App = a
	if err := os.WriteFile(file, []byte("one\n\x1b[2Jtwo!\nby hand\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	opened = new([]At)
	s.Show(New(s.W, file, func(at At) tea.Cmd {
		*opened = append(*opened, at)
		return nil
	}))
	return s, file, opened
}

// A file has its changes, each with what it changed and the way to its conversation.
func TestHistory(t *testing.T) {
	s, file, opened := newStage(t)
	s.Want("/"+filepath.Base(file), "1/2", "+1", "-1", "make it", "+2", "-0", "write it")
	s.Do(keys.Open)
	s.Show(s.Next)
	s.Want("Change of ", "/"+filepath.Base(file), "1 line added, 1 line removed", "replayed", "  one", "-two", "two!")
	pagetest.WantClean(t, "the diff", s.Draw())
	s.Do(keys.Open)
	if want := (At{s.Rows()[0].Root, session, "", "a2a2a2a2"}); len(*opened) != 1 || (*opened)[0] != want {
		t.Errorf("opened %+v, want %+v", *opened, want)
	}

	// The first change made the file.
	page := New(s.W, file, func(At) tea.Cmd { return nil })
	s.Show(page)
	s.Do(keys.Down, keys.Open)
	s.Show(s.Next)
	s.Want("exact", "2 lines added, 0 lines removed", "+one", "+two")
}

// Its lines have whoever wrote them.
func TestLines(t *testing.T) {
	s, _, _ := newStage(t)
	s.Do(keys.Report)
	s.Want("1/3", "as it is now", "write it", "11111111", "outside", "by hand", "two!")
	pagetest.WantClean(t, "the lines", s.Draw())
	s.Do(keys.End)
	s.Want("no session wrote this line with its tools")
	s.Do(keys.Open)
	if len(s.Notes) != 1 || s.Notes[0] != "no session wrote this line" {
		t.Errorf("%q", s.Notes)
	}
	s.Do(keys.Report)
	s.Want("1/2", "ADDED")
	for width := 49; width < 110; width += 6 {
		for height := range 8 {
			s.Size = [2]int{width + 1, height + 1}
			s.Draw()
			s.Do(keys.Report)
		}
	}
}

// A content is put back after its difference was shown, and not before.
func TestRestore(t *testing.T) {
	s, file, _ := newStage(t)
	s.Do(keys.Restore)
	s.Show(s.Next)
	s.Want("Restore ", "/"+filepath.Base(file), "1 line removed", "-by hand", "writes it")
	if text, _ := os.ReadFile(file); !strings.Contains(string(text), "by hand") {
		t.Fatalf("it was written at once: %q", text)
	}
	cmd, _ := s.Page.Do(keys.Open)
	act := cmd().(pages.ActMsg).Act
	out, err := act.Run(context.Background(), acts.Doing{Actor: shelf.Actor{From: "tui"}})
	if err != nil || out.Changed != 1 || out.Results[0].Act == 0 || act.Closes != s.Page {
		t.Errorf("%+v, %v", out, err)
	}
	if text, _ := os.ReadFile(file); string(text) != "one\n\x1b[2Jtwo!\n" {
		t.Errorf("the file has %q", text)
	}
	if got := act.Words(out); got != "a.go is as it was after that change" {
		t.Error(got)
	}
	s.Show(newRestore(s.W, s.Page.(*restorePage).change))
	s.Want("has that content already")
	s.Do(keys.Open)
	if s.Notes[len(s.Notes)-1] != "nothing would change" {
		t.Errorf("%q", s.Notes)
	}
}

// A file that no session changed says so, and so does one that may not be written.
func TestNothing(t *testing.T) {
	s, _, _ := newStage(t)
	s.Show(New(s.W, "/nowhere/b.go", nil))
	s.Want("No session changed this file with its tools.")
	s.Do(keys.Open, keys.Report)
	s.Want("Cannot say who wrote it: no session read or changed /nowhere/b.go")
}
