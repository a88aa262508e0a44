//go:build linux

package live

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/storetest"
)

// TestIdle measures what a Hub costs on a home where nothing happens:
//
//	SESSKEEP_IDLE=<home> SESSKEEP_IDLE_FOR=10m go test -timeout 0 -run TestIdle -v ./internal/live
func TestIdle(t *testing.T) {
	home := os.Getenv("SESSKEEP_IDLE")
	if home == "" {
		t.Skip("SESSKEEP_IDLE names no home")
	}
	span, err := time.ParseDuration(os.Getenv("SESSKEEP_IDLE_FOR"))
	if err != nil {
		t.Fatal(err)
	}
	store, err := sesskeep.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	cpu, began := storetest.CPU(t), time.Now()
	h := run(t, New(Options{
		Stores: []*sesskeep.Store{store},
		Alive:  func(int, string, string) bool { return false },
		Poll:   os.Getenv("SESSKEEP_IDLE_POLL") != "",
	}))
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	start, switches := storetest.CPU(t), voluntary(t)
	took := time.Since(began)
	held, rss := storetest.Heap(), resident(t)
	t.Logf("start: %v, %v of CPU, %d KiB of heap, %d MiB resident", took, start-cpu, held>>10, rss>>20)
	time.Sleep(span)
	all, now := storetest.CPU(t)-cpu, resident(t)
	t.Logf("%v idle: %v of CPU with the start, %d KiB of heap, %d MiB resident, %.1f switches a second",
		span, all, storetest.Heap()>>10, now>>20, float64(voluntary(t)-switches)/span.Seconds())
	if most := time.Second + span/600; all > most {
		t.Errorf("more than %v of CPU", most)
	}
	// What is resident swings by as much as the collector lets wait.
	if grown := storetest.Heap() - held; grown > 1<<20 || now > rss+held {
		t.Errorf("the heap grew by %d KiB, resident memory from %d to %d MiB", grown>>10, rss>>20, now>>20)
	}
}

func usageNow(t *testing.T) syscall.Rusage {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return u
}

// voluntary is how often a thread of ours went to sleep.
func voluntary(t *testing.T) int64 {
	t.Helper()
	u := usageNow(t)
	return u.Nvcsw
}

// resident is how many bytes of memory are ours.
func resident(t *testing.T) int64 {
	t.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(data))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
