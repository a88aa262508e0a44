package manage_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/errcode"
	"sesskeep/internal/live"
	"sesskeep/internal/shelf"
	"sesskeep/internal/storetest"
)

// put writes a file below a directory.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// registered is what a client says of itself.
const registered = `{"pid":77,"sessionId":"44444444-0000-4000-8000-000000000000","cwd":"/w/app2","startedAt":1}`

// A project is not moved while anything can write the home, whatever tells of it: the
// client's registry, its process, or a run of ours. What runs in another home is no
// reason.
func TestMoveProjectBusy(t *testing.T) {
	for name, test := range map[string]struct {
		tells func(h *shelfHome, o *app.Options)
		said  string // empty: it is moved
	}{
		"nothing runs": {func(*shelfHome, *app.Options) {}, ""},
		"a client": {func(h *shelfHome, o *app.Options) {
			put(h.t, h.dir, "sessions/77.json", registered)
			o.Alive = func(int, string, string) bool { return true }
		}, "pid 77"},
		"a client that has ended": {func(h *shelfHome, o *app.Options) { put(h.t, h.dir, "sessions/77.json", registered) }, ""},
		"a client that does not register": {func(h *shelfHome, o *app.Options) {
			o.Processes = func() ([]live.Process, bool) {
				return []live.Process{{PID: 78, Cwd: "/w/app2", Started: time.Now().Add(-time.Hour)}}, true
			}
		}, "pid 78"},
		"a run of ours": {func(h *shelfHome, o *app.Options) {
			put(h.t, h.data, "runs/r5/run.json", startingRun("r5", h.dir, h.time))
		}, "run r5"},
		"a run of the usual home": {func(h *shelfHome, o *app.Options) {
			put(h.t, h.data, "runs/r5/run.json", startingRun("r5", "", h.time))
		}, "run r5"},
		"a run of another home": {func(h *shelfHome, o *app.Options) {
			put(h.t, h.data, "runs/r5/run.json", startingRun("r5", "/elsewhere", h.time))
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newMovedHome(t)
			now := func() time.Time { return h.time }
			o := app.Options{Roots: []string{h.dir}, Data: h.data, Now: now, Shelf: shelf.New(h.data, now)}
			test.tells(h, &o)
			a, err := app.Open(o)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			before := tree(t, h.dir)
			_, err = a.Relocate.Project(t.Context(), by, "/w/app", "/x")
			if test.said == "" {
				if err != nil || maps.Equal(before, tree(t, h.dir)) {
					t.Errorf("it was not moved: %v", err)
				}
				return
			}
			if !errors.Is(err, errcode.ErrRunning) || errcode.Of(err) != errcode.Held || !strings.Contains(err.Error(), test.said) {
				t.Errorf("%v", err)
			}
			if !maps.Equal(before, tree(t, h.dir)) {
				t.Error("something was moved")
			}
		})
	}
}

// startingRun describes a run that has just been ordered.
func startingRun(id, root string, now time.Time) string {
	return fmt.Sprintf(`{"id":%q,"root":%q,"sessionId":"99999999-0000-4000-8000-000000000000","createdAt":%q}`, id, root, now.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// A process that stays asks the registry once more: what it has watched may be older.
func TestMoveProjectAsksRegistry(t *testing.T) {
	h := newMovedHome(t)
	put(t, h.dir, "sessions/77.json", registered)
	now := func() time.Time { return h.time }
	var alive atomic.Bool
	a, err := app.Open(app.Options{
		Roots: []string{h.dir}, Data: h.data, Now: now, Shelf: shelf.New(h.data, now),
		Alive: func(int, string, string) bool { return alive.Load() },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.Stay()
	storetest.Soon(t, func() string {
		if a.Index.Hub() == nil {
			return "nothing is watched"
		}
		states, err := a.Index.States(t.Context(), h.time)
		if err != nil || len(states) != 1 {
			return fmt.Sprintf("states: %+v, %v", states, err)
		}
		return ""
	})
	alive.Store(true) // and nothing in the home says so
	before := tree(t, h.dir)
	if _, err := a.Relocate.Project(t.Context(), by, "/w/app", "/x"); !errors.Is(err, errcode.ErrRunning) || !maps.Equal(before, tree(t, h.dir)) {
		t.Errorf("moved under a client that was just found: %v", err)
	}
}

// Texts that are not one whole JSON value stay to the byte when a project moves: what
// such a file means is not known.
func TestMoveLeavesDamagedTexts(t *testing.T) {
	state := `{"projects": {"/w/app": {}}}`
	for name, text := range map[string]string{
		"a second value": state + "\n" + state, "something behind it": state + " x", "cut off": state[:len(state)-1],
		"a number as a key": `{"projects": {"/w/app": {}, 7: {}}}`, "no key": `{"projects": {"/w/app": {}, : {}}}`, "another end": `{"projects": {"/w/app": {}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := newMovedHome(t)
			put(t, h.dir, ".claude.json", text)
			const damaged = `{"display":"x","project":"/w/app"} {"project":"/w/app"}` + "\n"
			put(t, h.dir, "history.jsonl", damaged+`{"display":"y","project":"/w/app"}`+"\n")
			done, err := h.app.Relocate.Project(t.Context(), by, "/w/app", "/x")
			if err != nil || len(done) != 1 || done[0].States != 0 || done[0].History != 1 || len(done[0].Notes) == 0 || !strings.Contains(strings.Join(done[0].Notes, "\n"), "stays as it is") {
				t.Fatalf("%+v, %v", done, err)
			}
			for file, want := range map[string]string{".claude.json": text, "history.jsonl": damaged + `{"display":"y","project":"/x"}` + "\n"} {
				if got, err := os.ReadFile(filepath.Join(h.dir, file)); err != nil || string(got) != want {
					t.Errorf("%s is %q, %v", file, got, err)
				}
			}
		})
	}
}
