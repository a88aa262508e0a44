package index

import (
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"sesskeep"
)

// A glance compares a folder with its listing. As long as nothing changed it is
// all that a command does with most files, so it makes nothing of them but a
// question to the file system.

// glance looks at a folder that was listed. It finds out whether it still has the
// same files, and if so which of them look otherwise. Nothing else of its listing
// is kept in memory: a large home has hundreds of thousands of files.
func (f *knownFolder) glance(store *sesskeep.Store, rowsOnly bool) {
	g := glancer{store: store, prefix: "projects/" + string(f.dir) + "/"}
	g.handle = openHandle(filepath.Join(store.Root(), "projects", string(f.dir)))
	defer g.handle.close()
	r := readListing(f.raw)
	dirs := r.count()
	for range dirs {
		was := r.dir()
		if now, ok := g.stamp(string(r.name)); !ok || was == 0 || now.Modtime != was {
			return
		}
	}
	var files int
	var differ []string
	for range r.count() {
		was, name := r.file(), string(r.name)
		output := isOutput(name)
		if strings.HasSuffix(name, ".jsonl") && !output {
			files++
		}
		if output && rowsOnly {
			continue
		}
		if now, _ := g.stamp(name); now != was {
			differ = append(differ, transcriptName(name))
		}
	}
	if f.same = dirs > 0 && r.whole(); !f.same {
		return
	}
	f.files, f.differ = files, differ
	if len(differ) == 0 {
		f.raw = nil
	}
}

// glancer looks at what is in one folder.
type glancer struct {
	store  *sesskeep.Store
	prefix string // of the names in the folder
	handle handle // on the folder
}

// stamp is that of the store. Most files are found by a handle on their folder,
// which is quicker than by the whole path; what is not is a matter for the store,
// which knows of links and of copies.
func (g *glancer) stamp(name string) (sesskeep.Mark, bool) {
	if rest, ok := strings.CutPrefix(name, g.prefix); ok {
		if stat, ok := g.handle.stamp(rest); ok {
			return stat, true
		}
	}
	return g.store.Stamp(name)
}

// everywhere runs f for the numbers below n, on all processors: what it asks is
// the file system.
func everywhere(n int, f func(i int)) {
	var next atomic.Int64
	onAll(func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	})
}

// onAll runs f on every processor, and waits for all of them.
func onAll(f func()) {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(f)
	}
	wg.Wait()
}
