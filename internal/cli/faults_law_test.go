//go:build linux && (amd64 || arm64)

package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/storetest/readfault"
)

// A trouble is what a command line is run with: a read that fails, or a file of ours that
// is damaged.
type trouble struct {
	site readfault.Site
	own  string // path of the damaged file, below the world
	how  string // and how it is damaged
}

func (d trouble) String() string {
	if d.own != "" {
		return d.how + " " + d.own
	}
	return string(d.site.Call) + " " + d.site.Path
}

// damages are what can happen to a file.
var damages = []string{"removed", "cut", "flipped", "directory"}

// damage does it.
func (d trouble) damage(t testing.TB, w *faultWorld) {
	t.Helper()
	if d.own == "" {
		return
	}
	path := w.root + d.own
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return // there is no index at the moment
	}
	if err == nil {
		switch d.how {
		case "removed":
			err = os.Remove(path)
		case "cut":
			err = os.WriteFile(path, data[:len(data)/2], 0o600)
		case "flipped":
			if len(data) > 0 {
				data[len(data)/2] ^= 0x10
			}
			err = os.WriteFile(path, data, 0o600)
		case "directory":
			if err = os.Remove(path); err == nil {
				err = os.Mkdir(path, 0o700)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// mend puts a damaged file back: what only it held is there again.
func (d trouble) mend(t testing.TB, w *faultWorld) {
	t.Helper()
	if d.own != "" {
		w.reset(t)
	}
}

// concerns reports whether a change of a file can belong to the damage: it is mended, or
// put aside.
func (d trouble) concerns(path string) bool {
	return d.own != "" && (strings.HasPrefix(path, d.own) || filepath.Dir(path) == filepath.Dir(d.own))
}

// ownFiles are the files that we keep, below the world.
func (w *faultWorld) ownFiles(t testing.TB) []string {
	t.Helper()
	var list []string
	for path, info := range w.list(t) {
		if base := filepath.Base(path); base == "lock" || base == "held" {
			continue // says nothing
		}
		ours := strings.HasPrefix(path, "/home/.local/") || isCache(path)
		if ours && info.Mode().IsRegular() && info.Size() > 0 && !strings.HasSuffix(path, ".lock") && !strings.HasSuffix(path, "-shm") {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// A faultRun goes through command lines, each with its troubles.
type faultRun struct {
	whole   bool
	every   int // of so many troubles one is tried
	random  *rand.Rand
	kind    string
	mu      sync.Mutex
	tried   int
	sites   int
	counts  map[string]int // sites by command line
	started time.Time
}

// sampledLines and sampledTroubles are how much of all is run where nobody asked for all.
const sampledLines, sampledTroubles = 8, 4

// TestReadFaults holds every command to the law that a reading error is never an empty
// answer: every call that reads fails once, by its kind and path. "make faults" runs all,
// other runs a sample.
func TestReadFaults(t *testing.T) {
	runFaults(t, "faults", func(w *faultWorld, p plainRun) (list []trouble) {
		for _, site := range p.sites {
			list = append(list, trouble{site: site})
		}
		return list
	})
}

// TestOwnFilesDamaged holds every command to the same law while one of our own files is
// missing or damaged. A file that a command line asks nothing about, nor the directory
// above it, cannot change what it does; one that has no index reads none.
func TestOwnFilesDamaged(t *testing.T) {
	runFaults(t, "damages", func(w *faultWorld, p plainRun) (list []trouble) {
		for _, own := range w.ownFiles(t) {
			if p.cold && isCache(own) || !p.looked[w.root+own] && !p.looked[filepath.Dir(w.root+own)] {
				continue
			}
			for _, how := range damages {
				list = append(list, trouble{own: own, how: how})
			}
		}
		return list
	})
}

func runFaults(t *testing.T, kind string, troubles func(*faultWorld, plainRun) []trouble) {
	if testing.Short() {
		t.Skip("runs the program hundreds of times")
	}
	if _, err := readfault.Run(t.Context(), readfault.Order{Launcher: os.Args[0], Args: []string{"/bin/true"}, Below: "/"}); errors.Is(err, readfault.ErrUnable) {
		t.Skip("no faults are injected here: ", err)
	}
	every, _ := strconv.Atoi(os.Getenv("SESSKEEP_FAULTS")) // 1: all
	run := &faultRun{whole: every > 0, every: every, kind: kind, counts: map[string]int{}, started: time.Now()}
	seed, err := strconv.ParseUint(os.Getenv("SESSKEEP_SEED"), 10, 64)
	if err != nil {
		seed = uint64(time.Now().UnixNano())
	}
	run.random = rand.New(rand.NewPCG(seed, 0))
	lines := faultTable(t)
	if only := os.Getenv("SESSKEEP_FAULTS_IN"); only != "" { // "sesskeep ls": those alone
		lines = slices.DeleteFunc(lines, func(l faultLine) bool { return !strings.Contains(l.String(), only) })
	}
	if !run.whole {
		t.Logf("a sample; to repeat it: SESSKEEP_SEED=%d", seed)
		run.random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		lines = lines[:min(len(lines), sampledLines)]
	}
	workers := 1
	if run.whole {
		workers = runtime.GOMAXPROCS(0)
	}
	queue := make(chan faultLine)
	var wg sync.WaitGroup
	for range workers {
		w := newFaultWorld(t, t.TempDir())
		wg.Go(func() {
			defer func() { // also after a Fatal
				for range queue {
				}
			}()
			for line := range queue {
				run.line(t, w, line, troubles)
			}
		})
	}
	for _, line := range lines {
		queue <- line
	}
	close(queue)
	wg.Wait()
	t.Logf("%d %s of %d in %d command lines, %v", run.tried, kind, run.sites, len(lines), time.Since(run.started).Round(time.Second))
	if run.every == 1 && os.Getenv("SESSKEEP_FAULTS_IN") == "" {
		run.finish(t)
	}
}

// line runs one command line with its troubles.
func (r *faultRun) line(t *testing.T, w *faultWorld, line faultLine, troubles func(*faultWorld, plainRun) []trouble) {
	p := w.plain(t, line)
	list := troubles(w, p)
	r.mu.Lock()
	r.sites += len(list)
	r.counts[line.String()] = len(list)
	if at := os.Getenv("SESSKEEP_FAULTS_AT"); at != "" { // "read WORLD/home/.claude/history": there alone
		list = slices.DeleteFunc(list, func(d trouble) bool { return !strings.Contains(w.unplaced(d.String()), at) })
	}
	if r.every > 1 {
		list = slices.DeleteFunc(list, func(trouble) bool { return r.random.IntN(r.every) > 0 })
	}
	if !r.whole {
		r.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:min(len(list), sampledTroubles)]
	}
	r.tried += len(list)
	r.mu.Unlock()
	if least := leastSites[r.kind][line.command]; r.counts[line.String()] < least {
		t.Errorf("%s: %d %s, there were %d: what is not seen is not tried", line, r.counts[line.String()], r.kind, least)
	}
	if r.whole {
		t.Logf("%v: %s, %d %s", time.Since(r.started).Round(time.Second), line, len(list), r.kind)
	}
	for _, trouble := range list {
		broken := w.try(t, line, p, trouble)
		if broken == "" {
			continue
		}
		w.forget(t) // what is wrong in the index is no trouble of the next one
		what := w.unplaced(trouble.String())
		t.Errorf("%s, %s: %s\n  to repeat it: SESSKEEP_FAULTS=1 SESSKEEP_FAULTS_IN='%s' SESSKEEP_FAULTS_AT='%s' go test -run %s ./internal/cli", line, what, broken, line, what, t.Name())
	}
}

// finish holds a whole run to as many sites as there were.
func (r *faultRun) finish(t *testing.T) {
	if least := leastSites[r.kind][""]; r.sites < least {
		t.Errorf("%d %s in all, there were %d", r.sites, r.kind, least)
	}
	fmt.Println(r.kind, r.sites, "sites in", len(r.counts), "command lines")
}
