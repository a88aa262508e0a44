package index

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep/internal/storetest"

	"sesskeep/internal/lock"
)

func lockHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	if _, err := storetest.Make(home, storetest.Size{Sessions: 60, Agents: 60, Projects: 6, Bytes: 10 << 20}, 4); err != nil {
		t.Fatal(err)
	}
	return home
}

// One process refreshes at a time. The other is told, and both can list; when
// the first is killed the second can refresh.
func TestOneWriter(t *testing.T) {
	home, dir := lockHome(t), t.TempDir()
	c := startChild(t, dir, home)
	if !c.await("writing") {
		_, err := c.wait()
		t.Fatalf("the child did not start: %v", err)
	}
	stop(t, c)
	x := openAt(t, dir)
	defer x.Close()
	must(t, x.Degraded())
	start := time.Now()
	if r := refreshAll(t, x, home); !r.Busy || r.Read != 0 {
		t.Errorf("two write at once: %+v", r)
	}
	if _, err := x.List(t.Context(), Filter{}); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("it waited %v", took)
	}
	if _, killed := c.kill(); !killed {
		t.Fatal("the child was not killed")
	}
	if r := refreshAll(t, x, home); r.Busy {
		t.Error("a dead process holds the lock")
	}
	compareAnswers(t, "after the kill", mustAnswer(t, x, home), freshAnswers(t, home))
}

// Two processes that start together on nothing: one works, the other waits or
// says Busy, and in the end there is one good index.
func TestStartTogether(t *testing.T) {
	home := lockHome(t)
	want := freshAnswers(t, home)
	for range number(t, "SESSKEEP_TOGETHER", 5) {
		dir := t.TempDir()
		var all []*child
		for range 4 {
			all = append(all, startChild(t, dir, home))
		}
		worked := 0
		for _, c := range all {
			if c.await("done busy=false read=120") {
				worked++
			}
			if _, err := c.wait(); err != nil {
				t.Fatal(err)
			}
		}
		if worked != 1 {
			t.Errorf("%d processes read everything, want 1", worked)
		}
		x := openAt(t, dir)
		if r := refreshAll(t, x, home); r.Read != 0 {
			t.Errorf("%d files were left", r.Read)
		}
		compareAnswers(t, "together", mustAnswer(t, x, home), want)
		must(t, x.Close())
	}
}

// Within a process it is the same, for one Index and for several.
func TestOneWriterInProcess(t *testing.T) {
	home, dir := lockHome(t), t.TempDir()
	var worked, busy atomic.Int32
	var all sync.WaitGroup
	shared := openAt(t, dir)
	defer shared.Close()
	h := homeAt(t, home)
	for i := range 6 {
		all.Go(func() {
			x := shared
			if i%2 == 0 {
				var err error
				if x, err = Open(dir); err != nil {
					t.Error(err)
					return
				}
				defer x.Close()
			}
			r, err := x.Refresh(t.Context(), []Home{h}, RefreshOptions{})
			switch {
			case err != nil:
				t.Error(err)
			case r.Busy:
				busy.Add(1)
			default:
				worked.Add(1)
			}
			if _, err := x.List(t.Context(), Filter{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if worked.Load() == 0 || busy.Load() == 0 {
		t.Errorf("%d worked, %d were busy", worked.Load(), busy.Load())
	}
	refreshAll(t, shared, home)
	compareAnswers(t, "in process", mustAnswer(t, shared, home), freshAnswers(t, home))
}

// An index that another process makes anew is followed by those who have it
// open.
func TestFollow(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	x, y := openAt(t, dir), openAt(t, dir)
	defer x.Close()
	defer y.Close()
	refreshAll(t, x, home)
	must(t, x.Rebuild())
	if page, err := x.List(t.Context(), Filter{Source: "all"}); err != nil || page.Total != 0 {
		t.Errorf("a new index has %d rows, %v", page.Total, err)
	}
	storetest.Append(t, filepath.Join(home, "projects", "-w-kin", "77777777-0000-4000-8000-000000000000.jsonl"), `{"type":"user","uuid":"x","message":{"role":"user","content":"new"}}`)
	refreshAll(t, y, home)
	want := freshAnswers(t, home)
	compareAnswers(t, "the one", mustAnswer(t, y, home), want)
	refreshAll(t, x, home)
	compareAnswers(t, "the other", mustAnswer(t, x, home), want)
}

// A writer whose lock is taken from under it leaves the index to whoever has it
// now.
func TestLostLock(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	x := openAt(t, dir)
	defer x.Close()
	must(t, os.Remove(filepath.Join(dir, "index.lock")))
	l, err := lock.Take(x.lockPath())
	must(t, err)
	if _, err := lock.Take(x.lockPath()); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("a held lock gives %v", err)
	}
	must(t, os.Remove(x.lockPath()))
	if !l.Lost() {
		t.Error("a lock without its file is not lost")
	}
	tn := &turn{index: x, lock: l}
	if err := tn.mark(sealWriting); !errors.Is(err, errLost) {
		t.Errorf("a lost lock gives %v", err)
	}
	must(t, l.Release())
	refreshAll(t, x, home)
	compareAnswers(t, "after all", mustAnswer(t, x, home), freshAnswers(t, home))
}

// Opening costs the same for every size: it reads no page.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	if corpus := os.Getenv("SESSKEEP_INDEX"); corpus != "" {
		dir = corpus // a filled one
	}
	for b.Loop() {
		x, err := Open(dir)
		if err != nil || x.Degraded() != nil {
			b.Fatal(err, x.Degraded())
		}
		x.Close()
	}
}
