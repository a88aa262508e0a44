package manage_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/errcode"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/undo"
)

// movedHome has a folder /w/app with sessions in it and below it, one that is only
// called like it, and one that shares its directory.
const movedHome = `
-- projects/-w-app/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","parentUuid":null,"cwd":"/w/app","sessionId":"11111111-0000-4000-8000-000000000000","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"in app"}}
-- projects/-w-app/11111111-0000-4000-8000-000000000000/subagents/agent-a1.jsonl --
{"type":"user","uuid":"x","parentUuid":null,"isSidechain":true,"agentId":"a1","cwd":"/w/app","sessionId":"11111111-0000-4000-8000-000000000000","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"go"}}
-- projects/-w-app/memory/MEMORY.md --
remember
-- projects/-w-app-sub/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"b","parentUuid":null,"cwd":"/w/app/sub","sessionId":"22222222-0000-4000-8000-000000000000","timestamp":"2026-11-01T11:00:00.000Z","message":{"role":"user","content":"below"}}
-- projects/-w-app-sub/33333333-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"c","parentUuid":null,"cwd":"/w/app-sub","sessionId":"33333333-0000-4000-8000-000000000000","timestamp":"2026-11-01T12:00:00.000Z","message":{"role":"user","content":"another folder in the same directory"}}
-- projects/-w-app2/44444444-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"d","parentUuid":null,"cwd":"/w/app2","sessionId":"44444444-0000-4000-8000-000000000000","timestamp":"2026-11-01T13:00:00.000Z","message":{"role":"user","content":"called like it"}}
-- history.jsonl --
{"display":"one /w/app","pastedContents":{},"timestamp":1794650400000,"project":"/w/app","sessionId":"11111111-0000-4000-8000-000000000000"}
{"display":"two", "project" : "\/w\/app\/sub" ,"odd":1.50}
{"display":"three","project":"/w/app2"}
{"display":"four","project":"/w/app-sub","nested":{"project":"/w/app"}}
not json "project":"/w/app"
{"display":"no end","project":"/w/app"}
-- .claude.json --
{
  "numStartups": 3,
  "projects": {
    "/w/app": {"allowedTools": ["/w/app"], "lastCost": 1.50},
    "/w/app/sub": {},
    "/w/app2": {"x": "/w/app"}
  },
  "other": {"/w/app": 1}
}
`

func newMovedHome(t *testing.T) *shelfHome {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "home")
	if err := storetest.Write(dir, []byte(movedHome)); err != nil {
		t.Fatal(err)
	}
	return newShelfHome(t, dir, memory(t))
}

func (h *shelfHome) undoLast() {
	h.t.Helper()
	s := shelf.New(h.data, func() time.Time { return h.time })
	c, err := undo.Plan(context.Background(), s, undo.Options{Homes: []string{h.dir}})
	if err == nil {
		_, err = s.Do(context.Background(), c.Plan)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

func TestMoveProject(t *testing.T) {
	h := newMovedHome(t)
	ctx := context.Background()
	before := tree(t, h.dir)
	dry := by
	dry.DryRun = true
	planned, err := h.app.Relocate.Project(ctx, dry, "/w/app", "/new/place")
	if err != nil || !maps.Equal(before, tree(t, h.dir)) {
		t.Fatalf("a dry run: %v", err)
	}
	done, err := h.app.Relocate.Project(ctx, by, "/w/app", "/new/place")
	if err != nil || len(done) != 1 {
		t.Fatal(done, err)
	}
	if p, d := planned[0], done[0]; p.History != d.History || p.States != d.States || len(p.Directories) != len(d.Directories) || d.History != 3 || d.States != 2 {
		t.Errorf("planned %+v, did %+v", p, d)
	}
	want := map[string]string{}
	for name, text := range before {
		switch {
		case strings.HasPrefix(name, "projects/-w-app/"):
			name = "projects/-new-place/" + strings.TrimPrefix(name, "projects/-w-app/")
		case strings.Contains(name, "22222222"):
			name = "projects/-new-place-sub/" + filepath.Base(name)
		case name == "history.jsonl":
			text = strings.NewReplacer(
				`1794650400000,"project":"/w/app"`, `1794650400000,"project":"/new/place"`, `"\/w\/app\/sub"`, `"/new/place/sub"`,
				`"no end","project":"/w/app"`, `"no end","project":"/new/place"`).Replace(text)
		case name == ".claude.json":
			text = strings.NewReplacer("    \"/w/app\": {", "    \"/new/place\": {", `"/w/app/sub": {}`, `"/new/place/sub": {}`).Replace(text)
		}
		want[name] = text
	}
	got := tree(t, h.dir)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is\n%s\nwant\n%s", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	h.again()
	c, err := h.app.Catalog.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	for _, p := range c.Projects {
		paths[p.Path] = true
	}
	if !maps.Equal(paths, map[string]bool{"/new/place": true, "/new/place/sub": true, "/w/app2": true, "/w/app-sub": true}) {
		t.Errorf("projects are now %v", paths)
	}
	h.undoLast()
	if got := tree(t, h.dir); !maps.Equal(got, before) {
		t.Error("undone, it is something else")
	}
}

// What the client wrote after a move stays when that is undone.
func TestUndoMovedSince(t *testing.T) {
	h := newMovedHome(t)
	ctx := context.Background()
	before := tree(t, h.dir)
	if _, err := h.app.Relocate.Project(ctx, by, "/w/app", "/new/place"); err != nil {
		t.Fatal(err)
	}
	const added = `{"display":"later","project":"/new/place"}` + "\n"
	history, state := filepath.Join(h.dir, "history.jsonl"), filepath.Join(h.dir, ".claude.json")
	edit(t, history, func(text string) string { return text + added })
	edit(t, state, func(text string) string { return strings.Replace(text, `"numStartups": 3`, `"numStartups": 4`, 1) })
	h.undoLast()
	got := tree(t, h.dir)
	want := maps.Clone(before)
	want["history.jsonl"] += added
	want[".claude.json"] = strings.Replace(want[".claude.json"], `"numStartups": 3`, `"numStartups": 4`, 1)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is\n%s\nwant\n%s", name, got[name], want[name])
		}
	}
}

func edit(t *testing.T, file string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte(change(string(data))), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What is at the new place already is joined, and never overwritten.
func TestMoveProjectMerges(t *testing.T) {
	h := newMovedHome(t)
	ctx := context.Background()
	place := filepath.Join(h.dir, "projects", "-new-place")
	for name, text := range map[string]string{
		"55555555-0000-4000-8000-000000000000.jsonl": `{"type":"user","uuid":"e","parentUuid":null,"cwd":"/new/place","message":{"role":"user","content":"there"}}` + "\n",
		"memory/MEMORY.md":                           "another memory",
	} {
		file := filepath.Join(place, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, h.dir)
	done, err := h.app.Relocate.Project(ctx, by, "/w/app", "/new/place")
	if err != nil || len(done) != 1 || len(done[0].Notes) == 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	got := tree(t, h.dir)
	for _, name := range []string{"-w-app/memory/MEMORY.md", "-new-place/memory/MEMORY.md", "-new-place/55555555-0000-4000-8000-000000000000.jsonl"} {
		if got["projects/"+name] != before["projects/"+name] {
			t.Errorf("%s was changed", name)
		}
	}
	if _, moved := got["projects/-new-place/11111111-0000-4000-8000-000000000000.jsonl"]; !moved {
		t.Error("the session did not move")
	}
	h.undoLast()
	if got := tree(t, h.dir); !maps.Equal(got, before) {
		t.Error("undone, it is something else")
	}
	other := filepath.Join(place, "11111111-0000-4000-8000-000000000000.jsonl")
	if err := os.WriteFile(other, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before = tree(t, h.dir)
	if _, err := h.app.Relocate.Project(ctx, by, "/w/app", "/new/place"); errcode.Of(err) != errcode.Conflict || !maps.Equal(before, tree(t, h.dir)) {
		t.Errorf("a session in both places: %v", err)
	}
}

// Nothing is moved under a running client, and nothing that no home knows.
func TestMoveProjectRefuses(t *testing.T) {
	h := newMovedHome(t)
	ctx := context.Background()
	for _, paths := range [][2]string{{"/w/nothing", "/x"}, {"/w/ap", "/x"}} {
		if _, err := h.app.Relocate.Project(ctx, by, paths[0], paths[1]); errcode.Of(err) != errcode.NoProject {
			t.Errorf("%v: %v", paths, err)
		}
	}
	for _, paths := range [][2]string{{"/w/app", "/w/app"}, {"/w/app", "/w/app/below"}} {
		if _, err := h.app.Relocate.Project(ctx, by, paths[0], paths[1]); errcode.Of(err) != errcode.Invalid {
			t.Errorf("%v: %v", paths, err)
		}
	}
	text := fmt.Sprintf(`{"pid":%d,"sessionId":"44444444-0000-4000-8000-000000000000","cwd":"/w/app2","startedAt":1}`, os.Getpid())
	file := filepath.Join(h.dir, "sessions", fmt.Sprint(os.Getpid(), ".json"))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	before := tree(t, h.dir)
	now := func() time.Time { return h.time }
	a, err := app.Open(app.Options{
		Roots: []string{h.dir}, Data: h.data, Now: now, Shelf: shelf.New(h.data, now),
		Alive: func(int, string, string) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.Relocate.Project(ctx, by, "/w/app", "/x"); !errors.Is(err, errcode.ErrRunning) || errcode.Of(err) != errcode.Held || !maps.Equal(before, tree(t, h.dir)) {
		t.Errorf("a client runs: %v", err)
	}
}
