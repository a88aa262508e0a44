package freshness

import (
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/storetest"
)

// A home that was never read is waited for longer than one that is read again: the first
// answer would be empty. What is answered before the end says so.
func TestFirstPatience(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	cache := t.TempDir()
	// ask counts while a reading is held up until the answer is there, or for a moment.
	ask := func(name, cache string, first, moment time.Duration, want int) {
		t.Helper()
		held := make(chan bool)
		f := open(t, home, Options{Cache: cache, Patience: time.Millisecond, FirstPatience: first, Progress: func(int, int, int64) { <-held }})
		if moment > 0 {
			time.AfterFunc(moment, func() { close(held) })
		} else {
			defer close(held)
		}
		if n, complete := count(t, f), f.coverageFor(true).Complete; n != want || complete != (moment > 0) {
			t.Errorf("%s: %d sessions, want %d; complete: %v", name, n, want, complete)
		}
	}
	ask("the patience is at an end", t.TempDir(), 20*time.Millisecond, 0, 0)
	ask("a home that was never read", cache, time.Hour, 50*time.Millisecond, 1)
	storetest.Append(t, filepath.Join(home, "projects", "-w", "22222222-0000-4000-8000-000000000000.jsonl"), line("b", "two"))
	ask("a home that is known", cache, time.Hour, 0, 1)
}

// All queries of one request wait for a first reading as one.
func TestFirstPatienceOfARequest(t *testing.T) {
	home := storetest.Home(t, "-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --\n"+line("a", "one"))
	held := make(chan bool)
	defer close(held)
	f := open(t, home, Options{Cache: t.TempDir(), Patience: time.Millisecond, FirstPatience: time.Hour, Progress: func(int, int, int64) { <-held }})
	ctx := ask.WithRequest(t.Context(), time.Now().Add(-time.Hour))
	for range 2 { // each would wait an hour
		if err := f.Ask(ctx, true, func(*index.Index) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
}
