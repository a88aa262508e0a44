package api_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/ask"
)

// TestHealthNamesTrouble moves the home away under a server: lists stay and say that they are
// behind, a session that cannot be opened says why, and the health has the reason beside a status that clients
// compare with ok.
func TestHealthNamesTrouble(t *testing.T) {
	w := newWorld(t)
	w.app.Stay()
	type list struct {
		Total    int
		Coverage ask.Coverage
	}
	total := get[list](w, "/sessions").Total
	health := func() []string {
		h := get[struct {
			Status  string
			Trouble []string
		}](w, "/health")
		if h.Status != "ok" || h.Trouble == nil {
			t.Fatalf("the health is %+v", h)
		}
		return h.Trouble
	}
	if trouble := health(); len(trouble) != 0 {
		t.Errorf("trouble where there is none: %q", trouble)
	}
	awaitTrouble := func(want string) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); !slices.ContainsFunc(health(), func(s string) bool { return strings.Contains(s, want) }); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the health says %q, and nothing of %q", health(), want)
			}
		}
	}
	waitForHub(t, w)
	w.must(os.Rename(w.home, w.home+".away"))
	awaitTrouble(w.home + " is not there")
	behind := get[list](w, "/sessions")
	if behind.Total != total || behind.Coverage.Behind == nil || behind.Coverage.Complete {
		t.Errorf("the list of a home that is not there has %d of %d sessions: %+v", behind.Total, total, behind.Coverage)
	}
	w.must(os.MkdirAll(filepath.Join(w.home, "projects"), 0o755))
	awaitTrouble(w.home + " is empty, and its sessions are not counted as deleted")
	if now := get[list](w, "/sessions"); now.Total != total {
		t.Errorf("the list of an empty home has %d of %d sessions", now.Total, total)
	}
	const id = "39877941-aab8-4b02-abd4-e7471d0664fc"
	if r := w.ask(access.Read, "GET", "/sessions/"+id+"/blocks", ""); r.status != 404 || !strings.Contains(string(r.body), w.home+" is empty") {
		t.Errorf("a session of an empty home: %d %s", r.status, r.body)
	}
	w.must(os.RemoveAll(w.home))
	w.must(os.Rename(w.home+".away", w.home))
	for end := time.Now().Add(10 * time.Second); len(health()) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the home is back, and the health says %q", health())
		}
	}
}

// waitForHub waits until a change would be noticed.
func waitForHub(t *testing.T, w *world) {
	t.Helper()
	for end := time.Now().Add(time.Minute); w.app.Index.Hub() == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the owner has no Hub")
		}
	}
}
