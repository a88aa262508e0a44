package manage_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/errcode"
	"sesskeep/internal/manage"
	"sesskeep/internal/storetest"
)

// Where it cannot be told whether somebody writes a session, nothing is done to it: it
// is not taken for one that rests, nor for one that is in use.
func TestLivenessUnknown(t *testing.T) {
	h := newMovedHome(t)
	ctx := t.Context()
	it := at("11111111-0000-4000-8000-000000000000")
	put(t, h.data, "runs/r5/run.json", "{")
	before := tree(t, h.dir)
	for name, act := range map[string]func() (acts.Outcome, error){
		"rename": func() (acts.Outcome, error) {
			return h.app.Manage.Rename(ctx, by, it, manage.RenameOptions{Title: "new"})
		},
		"archive": func() (acts.Outcome, error) { return h.app.Manage.Archive(ctx, by, it) },
		"trash":   func() (acts.Outcome, error) { return h.app.Manage.Trash(ctx, by, it) },
		"clean": func() (acts.Outcome, error) {
			return h.app.Manage.Clean(ctx, by, manage.CleanOptions{Sessions: &it})
		},
	} {
		out, err := act()
		if err != nil || out.Changed != 0 || out.Failed != 1 || errors.Is(out.Err(), errcode.ErrLive) || !strings.Contains(out.Err().Error(), "run.json is damaged") {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
	if !maps.Equal(before, tree(t, h.dir)) {
		t.Error("the home was changed")
	}
	if labels, err := h.app.Index.Labels().All(ctx); err != nil || len(labels) > 0 {
		t.Errorf("labels: %+v, %v", labels, err)
	}
}

// A session whose own lines cannot be read is not moved to the trash: only they tell
// which plans belong to it.
func TestTrashUnreadSession(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	h := newMovedHome(t)
	ctx := t.Context()
	if _, err := h.app.Keep.Now(ctx, nil); err != nil {
		t.Fatal(err)
	}
	// Its transcript is left as a copy alone, which is damaged, and its agent is there.
	storetest.Must(t, os.Remove(filepath.Join(h.dir, "projects/-w-app", id+".jsonl")))
	frames, err := filepath.Glob(filepath.Join(h.data, "vault/*/projects/-w-app", id+".box/frames*"))
	if err != nil || len(frames) != 1 {
		t.Fatalf("%v, %v", frames, err)
	}
	storetest.Must(t, os.Truncate(frames[0], 1))
	h.again()
	before := tree(t, h.dir)
	out, err := h.app.Manage.Trash(ctx, by, at(id))
	if err != nil || out.Changed != 0 || !errors.Is(out.Err(), sesskeep.ErrIncomplete) {
		t.Errorf("%+v, %v", out, err)
	}
	if !maps.Equal(before, tree(t, h.dir)) {
		t.Error("a part of it was moved")
	}
}
