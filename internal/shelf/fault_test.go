package shelf

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"sesskeep/internal/disk/disktest"
)

// onDisk builds a world and a shelf that writes to a disk that can fail. Both lie
// on one file system, as a removed file comes back by its name.
func onDisk(t *testing.T, name string) (*world, *Shelf, *disktest.Disk) {
	t.Helper()
	w := worlds()[name].build(t)
	d := disktest.New(t)
	w.openFilesUnknown = true // the disk of the test has open what it watches
	s := w.shelf()
	s.data.disk = d
	w.block(s)
	return w, s, d
}

// pointsOf are all the calls that an act of a world makes.
func pointsOf(t *testing.T, name string) []disktest.Point {
	t.Helper()
	w, s, d := onDisk(t, name)
	p, err := w.plan(w)
	check(t, err)
	if _, err := s.Do(context.Background(), p); (err != nil) != w.blocked {
		t.Fatal(err)
	}
	return d.Points()
}

// faultWorlds are the worlds in which every call fails, and the machine stops at
// each.
func faultWorlds(t *testing.T) []string {
	t.Helper()
	if dir, err := os.MkdirTemp("/dev/shm", "fault"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		t.Setenv("TMPDIR", dir)
	}
	names := slices.Sorted(maps.Keys(worlds()))
	return slices.DeleteFunc(names, func(name string) bool { return worlds()[name].across })
}

// thorough is how much more is tried than every point once.
func thorough() int {
	n, _ := strconv.Atoi(os.Getenv("SESSKEEP_CRASH"))
	return n
}

// TestPowerFails stops the machine before every call that changes something, and
// takes away what was not synced: all of it, none, or some. What was acknowledged
// is there; every act is whole or was never made; and no family is torn.
func TestPowerFails(t *testing.T) {
	points, runs := map[string]bool{}, 0
	for _, name := range faultWorlds(t) {
		t.Run(name, func(t *testing.T) {
			for i, point := range pointsOf(t, name) {
				points[name+": "+point.String()] = true
				losses := []disktest.Loss{disktest.Lose, disktest.Keep}
				for seed := range uint64(2 + thorough()) {
					losses = append(losses, disktest.Tear(seed))
				}
				for n, loss := range losses {
					if n == i%len(losses) || thorough() > 0 {
						runs++
						stopAt(t, name, point, n, loss)
					}
				}
			}
		})
	}
	if len(points) < 200 {
		t.Errorf("only %d points", len(points))
	}
	t.Logf("%d points, %d crashes", len(points), runs)
}

func stopAt(t *testing.T, name string, point disktest.Point, n int, loss disktest.Loss) {
	t.Helper()
	w, s, d := onDisk(t, name)
	d.Crash(point)
	p, err := w.plan(w)
	check(t, err)
	a, err := s.Do(context.Background(), p)
	if !d.Met() {
		t.Fatalf("%s was not reached", point)
	}
	check(t, d.Reboot(loss))
	defer func() {
		if t.Failed() {
			t.Logf("stopped at %s, loss %d", point, n)
		}
	}()
	state := w.settled(t)
	if err == nil && a.State == Done && state != Done {
		t.Fatalf("%s, loss %d: it was acknowledged, and is %s", point, n, state)
	}
	if state == Done && !w.blocked {
		w.undone(t)
	}
}

// TestDiskFails lets every call fail, for want of room or of rights. The error is
// told, and nothing is left half done; what could not be taken back for the same
// reason is taken back by the next act, and what was done can be undone.
func TestDiskFails(t *testing.T) {
	runs := 0
	for _, name := range faultWorlds(t) {
		t.Run(name, func(t *testing.T) {
			for i, point := range pointsOf(t, name) {
				for n, fault := range []error{syscall.ENOSPC, syscall.EACCES, syscall.EROFS} {
					if n == i%3 || thorough() > 0 {
						runs++
						failAt(t, name, point, fault)
					}
				}
			}
		})
	}
	t.Logf("%d faults", runs)
}

func failAt(t *testing.T, name string, point disktest.Point, fault error) {
	t.Helper()
	w, s, d := onDisk(t, name)
	d.Fail(point, fault)
	p, err := w.plan(w)
	check(t, err)
	a, err := s.Do(context.Background(), p)
	w.wantEither(t)
	if a.State == Unclear {
		t.Fatalf("%s, %v: it is unclear: %s", point, fault, a.Problem)
	}
	state := w.settled(t)
	if err == nil && state != Done {
		t.Fatalf("%s, %v: nobody was told", point, fault)
	}
	if err != nil && state == Done && !errors.Is(err, fault) {
		t.Fatalf("%s, %v: it was done, and the error is %v", point, fault, err)
	}
	if state == Done && !w.blocked {
		w.undone(t)
	}
}
