// Package disktest is a disk that fails, for tests of what writes through
// package disk.
//
// A [Disk] changes real files. It counts its calls: a [Point] is the n-th call of
// one kind from one function. A test makes its changes once to learn the points,
// then once for each of them, with a Disk that fails there or crashes there:
//
//	d := disktest.New(t)
//	d.Fail(point, syscall.ENOSPC) // or d.Crash(point)
//	… make the changes through d …
//	d.Reboot(disktest.Lose)       // after a crash: what was not synced is gone
//	… look at what is left …
//
// From a crash on every call fails, until Reboot. The Disk is then as good as new.
package disktest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// ErrDown is the error of every call between a crash and Reboot.
var ErrDown = errors.New("the machine is down")

// Point is the n-th call from one place, counted from 1.
type Point struct {
	Site string // the call and the function that made it: "rename vault.(*file).seal"
	N    int
}

func (p Point) String() string { return fmt.Sprintf("%s #%d", p.Site, p.N) }

// Disk is a [disk.System].
type Disk struct {
	stash string // for files that were removed and can come back

	mu      sync.Mutex
	calls   map[string]int
	points  []Point
	at      Point
	err     error // at that point; nil: a crash
	met     bool  // that point
	down    bool
	changes []*change
	nodes   []*node
	stashed int
}

// New returns a disk without faults.
func New(t testing.TB) *Disk {
	d := &Disk{stash: t.TempDir(), calls: map[string]int{}}
	t.Cleanup(d.forget)
	return d
}

// Fail makes the call at a point fail with err. A write that fails has written
// half of its bytes.
func (d *Disk) Fail(at Point, err error) { d.at, d.err = at, err }

// Crash stops the world before the call at a point.
func (d *Disk) Crash(at Point) { d.Fail(at, nil) }

// Met reports whether the point of Fail or Crash was reached.
func (d *Disk) Met() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.met
}

// Points returns the calls made so far, in their order.
func (d *Disk) Points() []Point {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.points)
}

// call counts one call, and returns the error it must fail with. The caller has
// the lock.
func (d *Disk) call(kind string) error {
	if d.down {
		return ErrDown
	}
	site := kind + " " + caller()
	d.calls[site]++
	p := Point{site, d.calls[site]}
	d.points = append(d.points, p)
	if p != d.at {
		return nil
	}
	d.met = true
	if d.err == nil {
		d.down = true
		return ErrDown
	}
	return d.err
}

// caller names the function outside of package disk that made a call.
func caller() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		name := strings.TrimPrefix(f.Function, "sesskeep/internal/")
		own := strings.HasPrefix(name, "disk.") || strings.HasPrefix(name, "disk/disktest.(")
		ours := strings.HasPrefix(f.Function, "sesskeep")
		if ours && !own || !more {
			return name
		}
	}
}

// hide moves a file to where it can be taken back from.
func (d *Disk) hide() string {
	d.stashed++
	return filepath.Join(d.stash, fmt.Sprint(d.stashed))
}

// forget lets go of the files that are watched.
func (d *Disk) forget() {
	for _, n := range d.nodes {
		n.handle.Close()
	}
	d.nodes, d.changes = nil, nil
}

// change is a name that was made, changed or removed.
type change struct {
	names  []string
	undo   func() error
	synced bool
}

func (d *Disk) changed(undo func() error, names ...string) {
	for i := range names {
		names[i] = filepath.Clean(names[i])
	}
	d.changes = append(d.changes, &change{names: names, undo: undo})
}

// needs reports whether c can stay only if the earlier change stays.
func (c *change) needs(earlier *change) bool {
	for _, name := range c.names {
		for _, e := range earlier.names {
			if e == name || strings.HasPrefix(e, name+string(filepath.Separator)) {
				return true
			}
		}
	}
	return false
}

// keep marks the n-th change as one that stays, and those it needs.
func (d *Disk) keep(n int) {
	c := d.changes[n]
	if c.synced {
		return
	}
	c.synced = true
	for i := n - 1; i >= 0; i-- {
		if c.needs(d.changes[i]) {
			d.keep(i)
		}
	}
}

// node is a file that was opened to be written.
type node struct {
	info    os.FileInfo
	handle  *os.File
	durable []byte // what it had when it was synced last
	dirty   bool
}

// watch returns the node of a file, which has just been opened or is about to be.
func (d *Disk) watch(name string) (*node, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	for _, n := range d.nodes {
		if os.SameFile(n.info, info) {
			return n, nil
		}
	}
	handle, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	n := &node{info: info, handle: handle}
	d.nodes = append(d.nodes, n)
	return n, n.makeDurable()
}

// makeDurable records the current content of the file as what is on the disk.
func (n *node) makeDurable() (err error) {
	n.durable, err = n.content()
	n.dirty = false
	return err
}

func (n *node) content() ([]byte, error) {
	info, err := n.handle.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	_, err = n.handle.ReadAt(data, 0)
	if len(data) == 0 {
		err = nil
	}
	return data, err
}
