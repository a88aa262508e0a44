package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// unit is what is run at once: a test, or a part of a long one.
type unit struct {
	pkg  string
	name string // as "go test -run" takes it
	took time.Duration
	met  map[int]bool
}

// split is how long a test may take that is run as a whole.
const split = 4 * time.Second

// longest is how long a unit may take: a longer one tries no refusal.
const longest = 3 * time.Minute

// bench has the programs with the tests, and what each of them meets.
type bench struct {
	root    string
	dir     string
	overlay string // of the sources
	all     []*worker
	workers chan *worker // those that have nothing to do
	lines   []line
	out     io.Writer          // where it says what it does
	units   map[string][]*unit // by package
}

// newBench rewrites the sources.
func newBench(root string, lines []line, list []*refusal, jobs int, out io.Writer) (*bench, error) {
	dir, err := os.MkdirTemp(scratchDir(), "m")
	if err != nil {
		return nil, err
	}
	b := &bench{root: root, dir: dir, lines: lines, out: out, workers: make(chan *worker, jobs), units: map[string][]*unit{}}
	if err := os.Chmod(dir, 0o755); err != nil {
		return b, err
	}
	sources := filepath.Join(dir, "src")
	if err := os.Mkdir(sources, 0o755); err != nil {
		return b, err
	}
	file, err := overlay(root, sources, list)
	if err != nil {
		return b, err
	}
	b.overlay = file
	for i := range jobs {
		w, err := newWorker(root, filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			return b, err
		}
		b.all = append(b.all, w)
		b.workers <- w
	}
	return b, nil
}

// build makes the program with the tests of a package, for every worker.
func (b *bench) build(pkg string) error {
	fmt.Fprintf(b.out, "build the tests of %s\n", pkg)
	program := filepath.Join(b.dir, filepath.Base(pkg)+".test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", program, "./"+pkg)
	cmd.Dir, cmd.Stderr, cmd.Stdout = b.root, b.out, b.out
	err := cmd.Run()
	for _, w := range b.all {
		if err == nil {
			err = os.Link(program, filepath.Join(w.dir, "bin", filepath.Base(program)))
		}
	}
	return err
}

// scratchDir is where tests have their files: in memory, where there is a place for that,
// because many of them wait for a disk, and under a short name, because sockets have
// theirs below it.
func scratchDir() string {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err == nil && info.IsDir() {
		return memory
	}
	return "/tmp"
}

func (b *bench) close() { _ = os.RemoveAll(b.dir) }

// try removes each refusal in turn, and gives those that no test misses.
func (b *bench) try(list []*refusal) (survived []*refusal, err error) {
	for _, l := range b.lines {
		var left []*refusal
		for _, r := range list {
			if filepath.ToSlash(filepath.Dir(r.file)) == l.pkg {
				left = append(left, r)
			}
		}
		for _, pkg := range l.tests {
			if len(left) == 0 {
				break
			}
			if err := b.record(pkg); err != nil {
				return nil, err
			}
			before := len(left)
			if left, err = b.tryIn(pkg, left); err != nil {
				return nil, err
			}
			fmt.Fprintf(b.out, "%s: the tests of %s miss %d of %d refusals\n", l.pkg, pkg, before-len(left), before)
		}
		for _, r := range left {
			fmt.Fprintf(b.out, "survived: %s:%d %s\n", r.file, r.line, r.name())
		}
		survived = append(survived, left...)
	}
	return survived, nil
}

func (b *bench) tryIn(pkg string, list []*refusal) (left []*refusal, err error) {
	missed := make([]bool, len(list))
	err = b.each(len(list), func(w *worker, i int) (err error) {
		missed[i], err = b.misses(w, pkg, list[i])
		return err
	})
	for i, r := range list {
		if !missed[i] {
			left = append(left, r)
		}
	}
	return left, err
}

// misses reports whether a test of a package fails without a refusal. The quick tests
// come first.
func (b *bench) misses(w *worker, pkg string, r *refusal) (bool, error) {
	for _, u := range b.units[pkg] {
		if !u.met[r.id] {
			continue
		}
		_, passed, err := w.run(pkg, r.id, 4*u.took+20*time.Second, "-test.run", u.name)
		if err != nil {
			return false, err
		}
		if !passed {
			fmt.Fprintf(b.out, "%s: missed by %s %s\n", r.name(), pkg, u.name)
			return true, nil
		}
	}
	return false, nil
}

// each calls f for the numbers below n, with as many workers as there are.
func (b *bench) each(n int, f func(w *worker, i int) error) error {
	var wait sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		w := <-b.workers
		wait.Go(func() {
			errs[i] = f(w, i)
			b.workers <- w
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// record runs each test of a package once, and notes what it meets.
func (b *bench) record(pkg string) error {
	if b.units[pkg] != nil {
		return nil
	}
	if err := b.build(pkg); err != nil {
		return err
	}
	began := time.Now()
	w := <-b.workers
	_, _, err := w.run(pkg, 0, longest, "-test.list", "^(Test|Fuzz)")
	names := strings.Fields(string(w.out))
	b.workers <- w
	if err != nil {
		return err
	}
	parts := make([][]*unit, len(names))
	err = b.each(len(names), func(w *worker, i int) (err error) {
		parts[i], err = b.recordTest(w, pkg, names[i])
		return err
	})
	list := slices.Concat(parts...)
	slices.SortFunc(list, func(x, y *unit) int { return cmp.Compare(x.took, y.took) })
	b.units[pkg] = list
	fmt.Fprintf(b.out, "%s: %d tests and parts of tests, recorded in %s\n", pkg, len(list), time.Since(began).Round(time.Second))
	return err
}

// recordTest notes what a test meets, or what each of its parts meets if it takes long. Of a
// test that fails without any removal it uses the parts that pass.
func (b *bench) recordTest(w *worker, pkg, name string) ([]*unit, error) {
	whole, err := b.recordUnit(w, pkg, "^"+name+"$", "-test.v")
	if err != nil || whole != nil && len(whole.met) == 0 {
		return nil, err
	}
	parts := subtests(name, string(w.out))
	if whole != nil && (whole.took < split || len(parts) < 2) {
		return []*unit{whole}, nil
	}
	var list []*unit
	for _, part := range parts {
		u, err := b.recordUnit(w, pkg, "^"+name+"$/^"+quote(part)+"$")
		switch {
		case err != nil:
			return nil, err
		case u == nil && whole != nil: // it needs the others
			return []*unit{whole}, nil
		case u != nil && len(u.met) > 0:
			list = append(list, u)
		}
	}
	if whole == nil {
		fmt.Fprintf(b.out, "%s %s fails without any removal: %d of its %d parts are used\n", pkg, name, len(list), len(parts))
	}
	return list, nil
}

// recordUnit notes what a unit meets; it is nil where the unit fails as it is.
func (b *bench) recordUnit(w *worker, pkg, name string, args ...string) (*unit, error) {
	began := time.Now()
	met, passed, err := w.run(pkg, 0, longest, append(args, "-test.run", name)...)
	if err != nil || !passed {
		return nil, err
	}
	u := &unit{pkg: pkg, name: name, took: time.Since(began), met: map[int]bool{}}
	for _, id := range met {
		u.met[id] = true
	}
	return u, nil
}

// subtests are the parts of a test, by what it said as it ran.
func subtests(test, out string) (list []string) {
	for line := range strings.Lines(out) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "=== RUN   "+test+"/")
		if ok && !strings.Contains(name, "/") {
			list = append(list, name)
		}
	}
	return list
}

// quote makes a name one that a pattern means exactly.
func quote(name string) string {
	for _, c := range `\.+*?()|[]{}^$` {
		name = strings.ReplaceAll(name, string(c), `\`+string(c))
	}
	return name
}
