package freshness

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/lock"
	"sesskeep/internal/storetest"
)

// TestFreshNeverWaits asks for progress while somebody holds the index.
func TestFreshNeverWaits(t *testing.T) {
	a := open(t, t.TempDir(), Options{})
	defer a.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	asked := make(chan bool)
	go func() {
		a.Coverage()
		close(asked)
	}()
	select {
	case <-asked:
	case <-time.After(time.Minute):
		t.Error("it waits for the index")
	}
}

// TestReadingFault has a reading fail for a fault of ours.
func TestReadingFault(t *testing.T) {
	a := open(t, t.TempDir(), Options{})
	if _, err := a.refresh(t.Context(), &reading{}); err == nil || !strings.Contains(err.Error(), "fault") {
		t.Errorf("without an index: %v", err)
	}
}

// TestHeldLock asks while another process never gives its turn back: a home that
// the index does not have is answered all the same, and exactly; one that it has
// is answered as it was last, and that is said.
func TestHeldLock(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	cache := t.TempDir()
	ask := func() (*Index, int) {
		a := open(t, home, Options{Cache: cache})
		t.Cleanup(func() { a.Close() })
		return a, count(t, a)
	}
	if _, err := index.Open(cache); err != nil { // it is there, and empty
		t.Fatal(err)
	}
	l, err := lock.Acquire(filepath.Join(cache, "index.lock"))
	if err != nil {
		t.Fatal(err)
	}
	a, n := ask()
	if f := a.coverageFor(true); n != 1 || !f.Complete || len(a.Notes()) > 0 {
		t.Errorf("a home that is not in the index: %d sessions, %+v, %q", n, f, a.Notes())
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if err := a.Refresh(t.Context()); err != nil || a.files.queried() != a.files.kept() {
		t.Errorf("the index is not gone back to: %v", err)
	}
	if l, err = lock.Acquire(filepath.Join(cache, "index.lock")); err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	storetest.Append(t, filepath.Join(home, "projects", "-w", "22222222-0000-4000-8000-000000000000.jsonl"), line("b", "two"))
	if a, n := ask(); n != 1 || a.Coverage().Behind == nil || a.coverageFor(true).Complete || len(a.Notes()) > 0 {
		t.Errorf("a home that is: %d sessions, %+v, %q", n, a.Coverage(), a.Notes())
	}
}

// open is the index of one home.
func open(t *testing.T, home string, o Options) *Index {
	t.Helper()
	set, err := homes.Open(homes.Options{Roots: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	o.Homes, o.Now, o.Unread = set, time.Now, func() []error { return nil }
	f := New(o)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// count is how many sessions there are.
func count(t *testing.T, f *Index) (n int) {
	t.Helper()
	err := f.Ask(t.Context(), true, func(x *index.Index) (err error) {
		n, err = x.Count(t.Context(), ask.Filter{Homes: f.opts.Homes.ForIndex(), Source: "all"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func line(uuid, text string) string {
	return `{"type":"user","uuid":"` + uuid + `","parentUuid":null,"message":{"role":"user","content":"` + text + `"}}` + "\n"
}
