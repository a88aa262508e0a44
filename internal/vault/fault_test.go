package vault

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/disk/disktest"
)

// story is what happens to a home and its copies in the tests of faults. After
// each chapter the copies are acknowledged.
var story = []struct {
	name string
	do   func(w *world, rnd *rand.Rand)
	keep func(w *world) error
	drop string // what it drops: names that hold this
}{
	{"all is new", func(*world, *rand.Rand) {}, (*world).trySweep, ""},
	{"it grows", func(w *world, rnd *rand.Rand) {
		w.append(mainA, lines(rnd, 3000)+`{"half":"a li`)
		w.append("history.jsonl", lines(rnd, 100))
	}, (*world).trySweep, ""},
	{"it grows through frames, and a session comes", func(w *world, rnd *rand.Rand) {
		w.append(mainA, "ne\"}\n"+lines(rnd, 9000))
		w.write("projects/-v/33333333-0000-4000-8000-000000000000.jsonl", lines(rnd, 500))
		w.write("projects/-w/"+idA+"/tool-results/t2.txt", lines(rnd, 6000))
	}, (*world).trySweep, ""},
	{"some is rewritten, some is gone", func(w *world, rnd *rand.Rand) {
		w.write("plans/calm-sea.md", "# a new plan")
		w.check(os.Truncate(w.path("projects/-v/"+idB+".jsonl"), 20))
		w.check(os.Remove(w.path("projects/-w/" + idA + "/tool-results/t1.txt")))
	}, (*world).trySweep, ""},
	{"it grows and is kept alone", func(w *world, rnd *rand.Rand) { w.append(mainA, lines(rnd, 200)) }, func(w *world) error {
		_, err := w.home().Keeper.KeepFamily(context.Background(), w.store, idA)
		return err
	}, ""},
	{"it rests", func(w *world, rnd *rand.Rand) { w.now = w.now.Add(time.Hour) }, (*world).trySweep, ""},
	{"old versions are dropped", func(*world, *rand.Rand) {}, func(w *world) error {
		return w.home().Remover.Prune(context.Background(), nil)
	}, ""},
	{"a box is written again", func(*world, *rand.Rand) {}, func(w *world) error {
		return w.home().Remover.rewrite(context.Background(), boxKey{"-w", idA}, func(*box) bool { return false }, nil)
	}, ""},
	{"a family is dropped", func(w *world, _ *rand.Rand) {
		w.check(os.Remove(w.path("projects/-v/" + idB + ".jsonl")))
		w.check(os.RemoveAll(w.path("file-history/" + idB)))
	}, func(w *world) error { return w.home().Remover.Drop(context.Background(), idB) }, idB},
}

const mainA = "projects/-w/" + idA + ".jsonl"

func (w *world) trySweep() error {
	k, err := w.home().Keeper.Sweep(context.Background(), w.store, SweepOptions{})
	for _, p := range k.Problems {
		err = errors.Join(err, p.Err)
	}
	return err
}

// reported makes the story happen on a disk, as far as that lets it. It returns what
// was acknowledged, and the error that ended it.
func (w *world) reported(d *disktest.Disk) (acknowledged map[string]string, err error) {
	w.o.Disk, w.o.frame = d, 4096
	rnd := rand.New(rand.NewPCG(11, 11))
	acknowledged = map[string]string{}
	for _, chapter := range story {
		chapter.do(w, rnd)
		if chapter.drop != "" {
			maps.DeleteFunc(acknowledged, func(name, _ string) bool { return strings.Contains(name, chapter.drop) })
		}
		if err := chapter.keep(w); err != nil {
			return acknowledged, fmt.Errorf("%s: %w", chapter.name, err)
		}
		maps.Copy(acknowledged, w.files())
	}
	return acknowledged, nil
}

// Wherever the disk fails or the machine stops, nothing acknowledged is lost,
// nothing that is read is wrong, and the next sweep has everything.
func TestFaults(t *testing.T) {
	learn := disktest.New(t)
	if _, err := newWorld(t).reported(learn); err != nil {
		t.Fatal(err)
	}
	points := learn.Points()
	for _, p := range points {
		t.Log(p)
	}
	t.Logf("%d points", len(points))
	losses := map[string]disktest.Loss{"lose": disktest.Lose, "keep": disktest.Keep, "tear": disktest.Tear(1), "tear more": disktest.Tear(2)}
	errs := []error{syscall.ENOSPC, syscall.EACCES, syscall.EROFS, syscall.EIO}
	long := os.Getenv("SESSKEEP_CRASH") != ""
	names := slices.Sorted(maps.Keys(losses))
	for i, p := range points {
		for n, name := range names {
			if !long && (i%2 == 1 || n != i/2%len(names)) { // everything everywhere only if there is time
				continue
			}
			loss := losses[name]
			w, d := newWorld(t), disktest.New(t)
			d.Crash(p)
			acknowledged, err := w.reported(d)
			if !errors.Is(err, disktest.ErrDown) && (err != nil || !d.Met()) {
				t.Fatalf("crash at %v: %v", p, err)
			}
			w.check(d.Reboot(loss))
			w.recovers(fmt.Sprintf("crash at %v, %s", p, name), acknowledged)
		}
		if !long && i%2 == 0 {
			continue
		}
		w, d := newWorld(t), disktest.New(t)
		d.Fail(p, errs[i%len(errs)])
		acknowledged, err := w.reported(d)
		if !errors.Is(err, errs[i%len(errs)]) && !strings.HasPrefix(p.Site, "remove") {
			t.Errorf("%v at %v: %v", errs[i%len(errs)], p, err)
		}
		w.recovers(fmt.Sprintf("%v at %v", errs[i%len(errs)], p), acknowledged)
	}
}

// recovers makes sure that what was acknowledged is there, and that copying goes
// on.
func (w *world) recovers(what string, acknowledged map[string]string) {
	w.t.Helper()
	h := w.home()
	for name, text := range acknowledged {
		if got := readCopy(w.t, h, name); !strings.HasPrefix(got, text) && !w.rewritten(name, got) {
			w.t.Errorf("%s: %s was acknowledged as %s, and is %s", what, name, short(text), short(got))
		}
	}
	if err := w.trySweep(); err != nil {
		w.t.Errorf("%s: copying does not go on: %v", what, err)
	}
	if w.compare(w.files()); w.t.Failed() {
		w.t.Fatal(what)
	}
}

// rewritten reports whether a copy is of what a file is now.
func (w *world) rewritten(name, got string) bool {
	data, err := os.ReadFile(w.path(name))
	return err == nil && string(data) == got
}
