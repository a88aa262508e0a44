//go:build unix

package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/storetest"
)

// TestAppendLatency measures, among many sessions, the time from an append until
// every answer has it, and what that costs.
func TestAppendLatency(t *testing.T) {
	if os.Getenv("SESSKEEP_LATENCY") == "" {
		t.Skip("SESSKEEP_LATENCY is not set")
	}
	home, file := manySessions(t, 10_000)
	a, err := app.Open(app.Options{Roots: []string{home}, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.Stay()
	if err := a.Index.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	settled(t, a)
	told := func(before uint64) error { _, err := a.Index.Newer(t.Context(), before); return err }
	asked := func(before uint64) error {
		for a.Index.Coverage().Generation == before {
			if _, err := a.Catalog.List(t.Context(), ask.Filter{Limit: 1}); err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return nil
	}
	appended := func(from int, wait func(before uint64) error) (p50 time.Duration) {
		var took, cost []time.Duration
		for n := range 40 {
			before, began, used := a.Index.Coverage().Generation, time.Now(), cpuTime(t)
			storetest.Append(t, file, storetest.Paid(-from-n-1, "more"))
			if err := wait(before); err != nil {
				t.Fatal(err)
			}
			took, cost = append(took, time.Since(began)), append(cost, cpuTime(t)-used)
			time.Sleep(50 * time.Millisecond)
		}
		slices.Sort(took)
		slices.Sort(cost)
		t.Logf("p50 %v, p90 %v; CPU p50 %v, p90 %v", took[20], took[36], cost[20], cost[36])
		return took[20]
	}
	t.Log("who asks, asking included:")
	if p50 := appended(0, asked); p50 > 200*time.Millisecond {
		t.Errorf("it takes %v, more than 200 ms", p50)
	}
	t.Log("who waits to be told:")
	if p50 := appended(1000, told); p50 > 200*time.Millisecond {
		t.Errorf("it takes %v, more than 200 ms", p50)
	}
}

// manySessions writes sessions of twenty lines, and gives the one that grows.
func manySessions(t *testing.T, count int) (home, file string) {
	t.Helper()
	home = t.TempDir()
	for i := range count {
		dir := filepath.Join(home, "projects", fmt.Sprintf("-w-%02d", i%100))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		text := ""
		for j := range 20 {
			text += storetest.Paid(100*i+j, "hello")
		}
		file = filepath.Join(dir, fmt.Sprintf("11111111-0000-4000-8000-%012d.jsonl", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home, file
}

// cpuTime is how long this process has used the processors.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
