package manage_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
	"sesskeep/internal/undo"
)

// What was moved to the trash is put back whole or not at all, and the reason is told.
func TestTrashGone(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	const missing = "is missing in the trash"
	for name, test := range map[string]struct {
		lose    func(h *shelfHome, trash string) error
		restore string // why it cannot be restored
		undo    string // why it cannot be undone
	}{
		"one of its files": {func(_ *shelfHome, trash string) error {
			return os.Remove(filepath.Join(trash, "files/projects/-w-app", id+".jsonl"))
		}, missing, missing},
		"its directory": {func(_ *shelfHome, trash string) error {
			return os.RemoveAll(filepath.Join(trash, "files/projects/-w-app", id))
		}, missing, missing},
		"its manifest": {func(_ *shelfHome, trash string) error {
			return os.Remove(filepath.Join(trash, "manifest.json"))
		}, "manifest.json is missing", "manifest.json is missing"},
		"all of it": {func(_ *shelfHome, trash string) error { return os.RemoveAll(trash) }, "not found", "it is not in the trash any more"},
		"purged": {func(h *shelfHome, _ string) error {
			h.ok(h.app.Trash.Purge(h.t.Context(), by, []string{id}))
			return nil
		}, "not found", "it is not in the trash any more"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newMovedHome(t)
			act := h.ok(h.app.Manage.Trash(t.Context(), by, at(id))).Results[0].Act
			list, err := h.app.Trash.List(t.Context())
			if err != nil || list.Total != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			storetest.Must(t, test.lose(h, filepath.Join(h.data, "trash", list.Trash[0].Name)))
			before, left := tree(t, h.dir), tree(t, filepath.Join(h.data, "trash"))
			out, err := h.app.Trash.Restore(t.Context(), by, []string{id})
			if err != nil || out.Failed != 1 || !strings.Contains(out.Err().Error(), test.restore) {
				t.Errorf("restored: %v, %v", out.Err(), err)
			}
			if _, err := h.app.Undo.Do(t.Context(), by, undo.Request{ID: act}); err == nil || !strings.Contains(err.Error(), test.undo) {
				t.Errorf("undone: %v", err)
			}
			if !maps.Equal(before, tree(t, h.dir)) || !maps.Equal(left, tree(t, filepath.Join(h.data, "trash"))) {
				t.Error("something was changed")
			}
		})
	}
}

// An act that is called one of the trash and has no manifest is not undone as one: a
// journal of another program may have such.
func TestUndoWithoutManifest(t *testing.T) {
	dir := t.TempDir()
	s := shelf.New(t.TempDir(), time.Now)
	put(t, dir, "a", "a")
	_, err := s.Do(t.Context(), shelf.Plan{Verb: "clean", Home: dir, Steps: shelf.Steps{shelf.Move{From: filepath.Join(dir, "a"), To: filepath.Join(dir, "b")}}})
	storetest.Must(t, err)
	if c, err := undo.Plan(t.Context(), s, undo.Options{Homes: []string{dir}}); err == nil || !strings.Contains(err.Error(), "no manifest") {
		t.Errorf("%+v, %v", c, err)
	}
	if got := tree(t, dir); len(got) != 1 || got["b"] == "" {
		t.Errorf("the home is %v", got)
	}
}

// A move of a project that cannot be taken back whole stays: half of it would be two
// places with a part of the sessions each.
func TestUndoMoveRefused(t *testing.T) {
	h := newMovedHome(t)
	moved, err := h.app.Relocate.Project(t.Context(), by, "/w/app", "/new/place")
	storetest.Must(t, err)
	// The client has written since, and begun a session of the same id at the old place.
	edit(t, filepath.Join(h.dir, "history.jsonl"), func(text string) string { return text + `{"display":"later","project":"/new/place"}` + "\n" })
	put(t, h.dir, "projects/-w-app-sub/22222222-0000-4000-8000-000000000000.jsonl", "{}\n")
	before := tree(t, h.dir)
	out, err := h.app.Undo.Do(t.Context(), by, undo.Request{ID: moved[0].Act})
	if err == nil || out.Changed != 0 {
		t.Errorf("undone: %+v, %v", out, err)
	}
	if !maps.Equal(before, tree(t, h.dir)) {
		t.Error("a part was taken back")
	}
}
