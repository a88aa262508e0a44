package index

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
	"sesskeep/internal/storetest"
)

func lockHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	if _, err := storetest.Make(home, storetest.Size{Sessions: 60, Agents: 60, Projects: 6, Bytes: 10 << 20}, 4); err != nil {
		t.Fatal(err)
	}
	return home
}

// A process that is stopped in the middle of a write delays no other: those
// learn that they are behind, and that the home is not in the index yet, and
// can list. When it is killed they write.
func TestStoppedWriter(t *testing.T) {
	home, dir := lockHome(t), t.TempDir()
	c := startChild(t, dir, home, "SESSKEEP_TEST_STOP=writing")
	if !c.await("writing") {
		_, err := c.wait()
		t.Fatalf("the child did not start: %v", err)
	}
	x := openAt(t, dir)
	defer x.Close()
	must(t, x.Degraded())
	db.TurnStalled = time.Second
	defer func() { db.TurnStalled = 5 * time.Second }()
	start := time.Now()
	if r := refreshAll(t, x, home); !r.Behind || !r.Lacking {
		t.Errorf("two write at once: %+v", r)
	}
	if _, err := x.List(t.Context(), ask.Filter{}); err != nil {
		t.Error(err)
	}
	t.Logf("it took %v", time.Since(start))
	if _, killed := c.kill(); !killed {
		t.Fatal("the child was not killed")
	}
	if r := refreshAll(t, x, home); r.Behind {
		t.Error("a dead process holds the lock")
	}
	compareAnswers(t, "after the kill", mustAnswer(t, x, home), freshAnswers(t, home))
}

// Processes that start together on nothing write by turns, and in the end there
// is one good index with nothing left to do.
func TestStartTogether(t *testing.T) {
	home := lockHome(t)
	want := freshAnswers(t, home)
	for range number(t, "SESSKEEP_TOGETHER", 5) {
		dir := t.TempDir()
		var all []*child
		for range 4 {
			all = append(all, startChild(t, dir, home))
		}
		for _, c := range all {
			if _, err := c.wait(); err != nil {
				t.Fatal(err)
			}
		}
		x := openAt(t, dir)
		refreshAll(t, x, home)
		if r := refreshAll(t, x, home); r.Read != 0 {
			t.Errorf("%d files were left", r.Read)
		}
		compareAnswers(t, "together", mustAnswer(t, x, home), want)
		must(t, x.Close())
	}
}

// Within a process it is the same, for one Index and for several: everybody who
// walks has it all afterwards.
func TestManyWriters(t *testing.T) {
	home, dir := lockHome(t), t.TempDir()
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
			r, err := x.Walk(t.Context(), []ask.Home{h}, Options{Patience: time.Minute})
			if err != nil || r.Behind {
				t.Errorf("%+v, %v", r, err)
			}
			if page, err := x.List(t.Context(), ask.Filter{Source: "all"}); err != nil || page.Total != 120 {
				t.Errorf("%d rows, %v", page.Total, err)
			}
		})
	}
	all.Wait()
	if r := refreshAll(t, shared, home); r.Read != 0 {
		t.Errorf("%d files were left", r.Read)
	}
	compareAnswers(t, "in process", mustAnswer(t, shared, home), freshAnswers(t, home))
}

// An index that another process rebuilds is followed by those who have it
// open.
func TestFollow(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	x, y := openAt(t, dir), openAt(t, dir)
	defer x.Close()
	defer y.Close()
	refreshAll(t, x, home)
	must(t, x.Rebuild(t.Context()))
	if page, err := x.List(t.Context(), ask.Filter{Source: "all"}); err != nil || page.Total != 0 {
		t.Errorf("a new index has %d rows, %v", page.Total, err)
	}
	storetest.Append(t, filepath.Join(home, "projects", "-w-kin", "77777777-0000-4000-8000-000000000000.jsonl"), `{"type":"user","uuid":"x","message":{"role":"user","content":"new"}}`)
	refreshAll(t, y, home)
	want := freshAnswers(t, home)
	compareAnswers(t, "the one", mustAnswer(t, y, home), want)
	refreshAll(t, x, home)
	compareAnswers(t, "the other", mustAnswer(t, x, home), want)
}

// A process that has an index open whose lock is removed writes all the same.
func TestRemovedLock(t *testing.T) {
	home, dir := damageHome(t), t.TempDir()
	x := openAt(t, dir)
	defer x.Close()
	must(t, os.Remove(filepath.Join(dir, "index.lock")))
	refreshAll(t, x, home)
	compareAnswers(t, "without its lock", mustAnswer(t, x, home), freshAnswers(t, home))
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

// Who comes while another process reads a home for the first time waits for that one, sees
// how far it is, and reads nothing.
func TestSecondFirstIndex(t *testing.T) {
	home, dir := lockHome(t), t.TempDir()
	c := startChild(t, dir, home, "SESSKEEP_TEST_PAUSE=begin")
	if !c.await("begin") {
		_, err := c.wait()
		t.Fatalf("the child did not start: %v", err)
	}
	x := openAt(t, dir)
	defer x.Close()
	var seen Reader
	r, err := x.Walk(t.Context(), []ask.Home{homeAt(t, home)}, Options{Waiting: func(other Reader) {
		if seen = other; other.Total > 0 {
			c.in.Close() // it continues
		}
	}})
	if err != nil || !r.Waited || r.Read > 0 || r.Behind {
		t.Errorf("the second: %+v, %v", r, err)
	}
	if seen.PID != c.cmd.Process.Pid || seen.Total < 120 {
		t.Errorf("the second saw %+v of process %d", seen, c.cmd.Process.Pid)
	}
	if _, err := c.wait(); err != nil {
		t.Fatal(err)
	}
	compareAnswers(t, "after it waited", mustAnswer(t, x, home), freshAnswers(t, home))
}

// When the first one is killed the next continues.
func TestKilledFirstIndex(t *testing.T) {
	home, dir := lockHome(t), t.TempDir()
	c := startChild(t, dir, home, "SESSKEEP_TEST_PAUSE=begin")
	if !c.await("begin") {
		_, err := c.wait()
		t.Fatalf("the child did not start: %v", err)
	}
	x := openAt(t, dir)
	defer x.Close()
	r, err := x.Walk(t.Context(), []ask.Home{homeAt(t, home)}, Options{Waiting: func(Reader) { c.cmd.Process.Kill() }})
	if err != nil || !r.Waited || r.Read < 120 || r.Behind {
		t.Errorf("the second: %+v, %v", r, err)
	}
	compareAnswers(t, "after the kill", mustAnswer(t, x, home), freshAnswers(t, home))
}

// Who wants lists soon has the process that reads make rows in between.
func TestRowsWanted(t *testing.T) {
	x := openAt(t, t.TempDir())
	defer x.Close()
	if x.db.RowsWanted() {
		t.Error("rows are wanted, and no process said so")
	}
	x.db.WantRows()
	if !x.db.RowsWanted() || x.db.RowsWanted() {
		t.Error("what was said once is not heard once")
	}
}
