package shelf

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/disk"
	"sesskeep/internal/disk/disktest"
)

// A home on a read-only mount refuses every act, and nothing of it is half done.
func TestReadOnlyHome(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(worlds())) {
		if name == "label" {
			continue // nothing of it lies in the home
		}
		t.Run(name, func(t *testing.T) {
			w := worlds()[name].build(t)
			s := w.shelf()
			s.data.disk = disktest.ReadOnly(disk.Real, w.home(), syscall.EROFS)
			p, err := w.plan(w)
			check(t, err)
			a, err := s.Do(context.Background(), p)
			if !errors.Is(err, syscall.EROFS) || a.State != Dropped {
				t.Errorf("it is %s: %v", a.State, err)
			}
			w.want(t, w.old)
			w.wantClean(t)
		})
	}
}

// TestLastingFault lets calls of one kind fail from each of them on, and for as long as
// the act is made. When the fault is over the next act finds everything old or new.
// SESSKEEP_CRASH tries all calls, else every third.
func TestLastingFault(t *testing.T) {
	faults := 0
	for _, name := range faultWorlds(t) {
		t.Run(name, func(t *testing.T) {
			kinds := kindsOf(t, name)
			for _, kind := range slices.Sorted(maps.Keys(kinds)) {
				for n := 1; n <= kinds[kind]; n++ {
					if n%3 == 1 || thorough() > 0 {
						faults++
						lasting(t, name, kind, n)
					}
				}
			}
		})
	}
	if faults < 130 {
		t.Errorf("only %d faults", faults)
	}
	t.Logf("%d lasting faults", faults)
}

// kindsOf counts the calls that an act of a world makes, by their kinds.
func kindsOf(t *testing.T, name string) map[string]int {
	t.Helper()
	kinds := map[string]int{}
	w := worlds()[name].build(t)
	s := w.shelf()
	s.data.disk = disktest.Refuse(disk.Real, func(kind, _ string) error { kinds[kind]++; return nil })
	w.block(s)
	p, err := w.plan(w)
	check(t, err)
	if _, err := s.Do(context.Background(), p); (err != nil) != w.blocked {
		t.Fatal(err)
	}
	return kinds
}

// lasting fails calls of a kind from the n-th on.
func lasting(t *testing.T, name, kind string, n int) {
	t.Helper()
	w := worlds()[name].build(t)
	s := w.shelf()
	calls := 0
	s.data.disk = disktest.Refuse(disk.Real, func(k, _ string) error {
		if k != kind {
			return nil
		}
		if calls++; calls < n {
			return nil
		}
		return syscall.EIO
	})
	w.block(s)
	p, err := w.plan(w)
	check(t, err)
	a, err := s.Do(context.Background(), p)
	if calls < n {
		t.Fatalf("there is no call %d to %s", n, kind)
	}
	if a.State == Unclear {
		t.Fatalf("%s fails from call %d on, and nobody tries again: %v", kind, n, err)
	}
	w.wantEither(t)
	state := w.settled(t)
	if err == nil && state != Done {
		t.Fatalf("%s fails from call %d on: nobody was told, and it is %s", kind, n, state)
	}
	if state == Done && !w.blocked {
		w.undone(t)
	}
}

// everything is a home with its directories, and the time of every file.
func (w *world) everything(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	check(t, filepath.WalkDir(w.home(), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		check(t, err)
		if e.IsDir() {
			found[path] = "directory"
			return nil
		}
		found[path] = info.ModTime().UTC().String()
		return nil
	}))
	return found
}

// An undo leaves no empty directory, and every file with the time it had.
func TestUndoLeavesNoTrace(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(worlds())) {
		t.Run(name, func(t *testing.T) {
			w := worlds()[name].build(t)
			check(t, os.MkdirAll(w.home(), 0o700))
			s := w.shelf()
			w.block(s)
			before := w.everything(t)
			p, err := w.plan(w)
			check(t, err)
			a, err := s.Do(context.Background(), p)
			if w.blocked {
				delete(before, w.path(inTheWay))
				check(t, os.Remove(w.path(inTheWay)))
			} else {
				check(t, err)
				p, err = s.Undo(context.Background(), a, Actor{})
				check(t, err)
				do(t, s, p)
			}
			if after := w.everything(t); !maps.Equal(before, after) {
				t.Errorf("it is\n%v\nwas\n%v", after, before)
			}
		})
	}
}

// What a directory holds has times of its own, also after a move that gave all of it
// the present.
func TestUndoTimesOfTree(t *testing.T) {
	w := worlds()["trash"].build(t)
	one := w.path("projects/-w/a/tool-results/x.txt")
	check(t, os.Chtimes(one, time.Time{}, time.Unix(1.1e9, 0)))
	before := w.everything(t)
	s := w.shelf()
	now := time.Unix(2e9, 0)
	p, err := w.plans(Move{From: w.path("projects/-w/a"), To: w.path("elsewhere/new/a"), Modified: now})
	check(t, err)
	a := do(t, s, p)
	info, err := os.Stat(w.path("elsewhere/new/a/tool-results/x.txt"))
	if err != nil || !info.ModTime().Equal(now) {
		t.Errorf("moved: %v, %v", info, err)
	}
	p, err = s.Undo(context.Background(), a, Actor{})
	check(t, err)
	undo := do(t, s, p)
	if after := w.everything(t); !maps.Equal(before, after) {
		t.Errorf("it is\n%v\nwas\n%v", after, before)
	}
	p, err = s.Undo(context.Background(), undo, Actor{})
	check(t, err)
	do(t, s, p)
	info, err = os.Stat(w.path("elsewhere/new/a/tool-results/x.txt"))
	if err != nil || !info.ModTime().Equal(now) {
		t.Errorf("moved again: %v, %v", info, err)
	}
}
