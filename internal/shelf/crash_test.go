package shelf

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestChild is not a test: it is the process that other tests start and kill.
// It makes an act, or settles one, and kills itself at the n-th point.
func TestChild(t *testing.T) {
	name, dir := os.Getenv("SESSKEEP_TEST_WORLD"), os.Getenv("SESSKEEP_TEST_DIR")
	if name == "" {
		t.Skip("started by other tests")
	}
	w := worlds()[name]
	w.dir = dir
	s := w.shelf()
	left, err := strconv.Atoi(os.Getenv("SESSKEEP_TEST_POINT"))
	check(t, err)
	s.data.at = func(string) error {
		if left--; left == 0 {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			time.Sleep(time.Minute)
			return err
		}
		return nil
	}
	w.block(s)
	if os.Getenv("SESSKEEP_TEST_SETTLE") != "" {
		_, err = s.Recover(context.Background())
		check(t, err)
		return
	}
	if prefix := os.Getenv("SESSKEEP_TEST_PLACE"); prefix != "" {
		s.patience = time.Minute
		for i := range 10 {
			p, _ := w.plans(Create{File: w.path(fmt.Sprint(prefix, i)), From: Bytes([]byte("x"))})
			do(t, s, p)
		}
		return
	}
	if os.Getenv("SESSKEEP_TEST_LOOP") != "" {
		w.loop(t, s)
	}
	p, err := w.plan(w)
	check(t, err)
	if _, err := s.Do(context.Background(), p); err != nil && !w.blocked {
		t.Fatal(err)
	}
}

// loop makes an act and undoes it until it is killed. It looks into the journal
// only once: that grows with every act, and time spent there meets none.
func (w *world) loop(t *testing.T, s *Shelf) {
	a, err := s.Journal.Find(context.Background(), 0, []string{w.home()})
	undo := err == nil
	os.Stdout.WriteString("ready\n")
	for ; ; undo = !undo {
		var p Plan
		if undo {
			p, err = s.Undo(context.Background(), a, Actor{})
		} else {
			p, err = w.plan(w)
		}
		check(t, err)
		a = do(t, s, p)
	}
}

// child is the command that runs TestChild in a world.
func (w *world) child(name string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), "SESSKEEP_TEST_WORLD="+name, "SESSKEEP_TEST_DIR="+w.dir, "SESSKEEP_TEST_POINT=0")
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// killed runs a child and reports whether it was killed at its point, or ended
// because it has fewer.
func (w *world) killed(t *testing.T, name string, env ...string) bool {
	t.Helper()
	out, err := w.child(name, env...).CombinedOutput()
	if err == nil {
		return false
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || bytes.Contains(out, []byte("FAIL")) {
		t.Fatalf("%v: %s", err, out)
	}
	return true
}

// settled asserts the law of acts: whatever happened, after recovery everything
// is as before or as after, and the journal says which.
func (w *world) settled(t *testing.T) State {
	t.Helper()
	s := w.shelf()
	_, err := s.Recover(context.Background())
	check(t, err)
	a, err := s.Journal.last()
	check(t, err)
	switch a.State {
	case Done:
		w.want(t, w.done)
	case Dropped, "":
		old := w.old
		if _, err := os.Lstat(w.path(inTheWay)); w.blocked && err == nil {
			old = old.with(tree{inTheWay: "theirs"})
		}
		if got := w.snapshot(t); maps.Equal(got, w.back) {
			break // lines are taken back by others
		}
		w.want(t, old)
	default:
		t.Fatalf("act %d is %s: %s", a.ID, a.State, a.Problem)
	}
	return a.State
}

// undone undoes the act, and the undo of it.
func (w *world) undone(t *testing.T) {
	t.Helper()
	s := w.shelf()
	a, err := s.Journal.Find(context.Background(), 0, []string{w.home()})
	check(t, err)
	p, err := s.Undo(context.Background(), a, Actor{})
	check(t, err)
	undo := do(t, s, p)
	w.want(t, w.back)
	undo, err = s.Journal.Find(context.Background(), undo.ID, []string{w.home()})
	check(t, err)
	p, err = s.Undo(context.Background(), undo, Actor{})
	check(t, err)
	do(t, s, p)
	w.wantClean(t)
	if got := states(t, s); got != "3 done, 2 undone, 1 done" {
		t.Errorf("journal: %s", got)
	}
	if len(w.back["a.jsonl"]) <= len(w.done["a.jsonl"]) { // lines only ever come
		w.want(t, w.done)
	}
}

// TestKilledEverywhere kills the program at every point of every kind of act:
// each file is exactly old or new, the act is rolled forward or was never begun,
// and it can be undone.
func TestKilledEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of processes")
	}
	for _, name := range slices.Sorted(maps.Keys(worlds())) {
		t.Run(name, func(t *testing.T) {
			points := 0
			for n := 1; ; n++ {
				w := worlds()[name].build(t)
				if !w.killed(t, name, fmt.Sprint("SESSKEEP_TEST_POINT=", n)) {
					break
				}
				points++
				w.wantEither(t)
				switch state := w.settled(t); {
				case w.blocked && state == Done:
					t.Fatalf("point %d: it was done with a file in the way", n)
				case !w.blocked && state == Dropped:
					t.Fatalf("point %d: it was not rolled forward", n)
				case state == Done:
					w.undone(t)
				}
			}
			if points < 5 {
				t.Errorf("only %d points", points)
			}
		})
	}
}

// TestKilledTwice kills the program that settles what a killed one left.
func TestKilledTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of processes")
	}
	for _, name := range []string{"mixed", "mixed, blocked", "trash across", "replace by two steps"} {
		t.Run(name, func(t *testing.T) {
			twice := 0
			for n := 1; ; n++ {
				w := worlds()[name].build(t)
				if !w.killed(t, name, fmt.Sprint("SESSKEEP_TEST_POINT=", n)) {
					break
				}
				// At a point of its own each time; all of them come with many runs.
				for w.killed(t, name, "SESSKEEP_TEST_SETTLE=1", fmt.Sprint("SESSKEEP_TEST_POINT=", 1+rand.IntN(12))) {
					w.wantEither(t)
					if twice++; twice%8 == 0 {
						break
					}
				}
				w.settled(t)
			}
			if twice == 0 {
				t.Error("nothing was killed twice")
			}
		})
	}
}

// TestKilledAnywhere kills a program that makes and undoes acts, at random
// moments.
func TestKilledAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts hundreds of processes")
	}
	kills := 8
	if more, err := strconv.Atoi(os.Getenv("SESSKEEP_CRASH")); err == nil {
		kills = more
	}
	for _, name := range []string{"replace", "label", "trash", "trash across"} {
		t.Run(name, func(t *testing.T) {
			w := worlds()[name].build(t)
			met, tries := 0, 0 // kills that met an act
			for ; met < kills && tries < 30*kills; tries++ {
				w.killAnywhere(t, name)
				w.wantEither(t)
				s := w.shelf()
				settled, err := s.Recover(context.Background())
				check(t, err)
				if settled != nil {
					met++
				}
				a, err := s.Journal.last()
				check(t, err)
				switch undo := a.Undoes > 0; {
				case a.ID == 0, a.State == Done && undo, a.State == Dropped && !undo:
					w.want(t, w.old)
				case a.State == Done, a.State == Dropped:
					w.want(t, w.done)
				default:
					t.Fatalf("act %d is %s: %s", a.ID, a.State, a.Problem)
				}
			}
			t.Logf("%d of %d kills met an act", met, tries)
			if met < kills {
				t.Errorf("only %d of %d kills met an act", met, tries)
			}
		})
	}
}

// killAnywhere kills a child some moments after it has begun to make acts.
func (w *world) killAnywhere(t *testing.T, name string) {
	t.Helper()
	cmd := w.child(name, "SESSKEEP_TEST_LOOP=1")
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	lines := bufio.NewReader(out)
	_, err = lines.ReadString('\n')
	check(t, err)
	time.Sleep(time.Duration(rand.IntN(30_000)) * time.Microsecond)
	check(t, cmd.Process.Kill())
	rest, _ := io.ReadAll(lines)
	_ = cmd.Wait() // it was killed
	if bytes.Contains(rest, []byte("FAIL")) {
		t.Fatalf("%s", rest)
	}
}

// TestManyProcesses: acts of several processes come one after the other, and
// none takes the number of another.
func TestManyProcesses(t *testing.T) {
	w := worlds()["replace"].build(t)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			if out, err := w.child("replace", fmt.Sprint("SESSKEEP_TEST_PLACE=p", i, "-")).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	next := 40
	for a, err := range w.shelf().Journal.Acts() {
		check(t, err)
		if a.ID != next || a.State != Done {
			t.Fatalf("act %d is %s, want %d", a.ID, a.State, next)
		}
		next--
	}
	if got := len(w.snapshot(t)); got != 40+len(w.old) || next != 0 {
		t.Errorf("%d files, %d acts", got, 40-next)
	}
}

// TestFails lets every point of every kind of act fail, as a full disk would.
func TestFails(t *testing.T) {
	fault := errors.New("no space left")
	for _, name := range slices.Sorted(maps.Keys(worlds())) {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				w := worlds()[name].build(t)
				s := w.shelf()
				left, reached, where := n, false, ""
				s.data.at = func(point string) error {
					if left--; left == 0 {
						reached, where = true, point
						return fault
					}
					return nil
				}
				w.block(s)
				p, err := w.plan(w)
				check(t, err)
				a, err := s.Do(context.Background(), p)
				if !reached {
					break
				}
				if err == nil {
					t.Fatalf("%s failed, and nobody was told", where)
				}
				w.wantEither(t)
				if a.State == Unclear { // the fault came while it was taken back
					if !w.blocked && a.Problem == "" {
						t.Fatalf("%s: %s", where, a.Problem)
					}
					continue
				}
				w.settled(t)
			}
		})
	}
}

// TestLeftovers: nothing stays beside the files of an act.
func TestLeftovers(t *testing.T) {
	for name, w := range worlds() {
		w.build(t)
		s := w.shelf()
		w.block(s)
		p, err := w.plan(w)
		check(t, err)
		if _, err := s.Do(context.Background(), p); (err != nil) != w.blocked {
			t.Fatal(name, err)
		}
		w.settled(t)
		if matches, _ := filepath.Glob(filepath.Join(w.data(), "backup", "*.part")); len(matches) > 0 {
			t.Error(name, matches)
		}
	}
}
