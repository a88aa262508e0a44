package index

import (
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/index/output"
)

// A folder is compared with its listing. As long as nothing changed that is
// all that a command does with most files, so it makes nothing of them but a
// question to the file system.

// compare looks at a folder that was listed. It finds out whether it still has the
// same files, and if so which of them look otherwise. Nothing else of its listing
// is kept in memory: a large home has hundreds of thousands of files.
func (f *knownFolder) compare(store *sesskeep.Store, rowsOnly bool) {
	g := folderStamps{store: store, prefix: "projects/" + string(f.dir) + "/"}
	g.handle = openHandle(filepath.Join(store.Root(), "projects", string(f.dir)))
	defer g.handle.close()
	r := readListing(f.raw)
	dirs := r.dirs()
	for i, d := range dirs {
		if rowsOnly && irrelevant(dirs[i:]) {
			continue
		}
		if now, ok := g.stamp(d.Name); !ok || d.Modtime == 0 || now.Modtime != d.Modtime {
			return
		}
	}
	var files int
	var differ []string
	for range r.count() {
		was, name := r.file(), string(r.name)
		saved := output.Is(name)
		if strings.HasSuffix(name, ".jsonl") && !saved {
			files++
		}
		if saved && rowsOnly {
			continue
		}
		if now, _ := g.stamp(name); now != was {
			differ = append(differ, transcriptName(name))
		}
	}
	if f.same = len(dirs) > 0 && r.whole(); !f.same {
		return
	}
	f.files, f.differ = files, differ
	if len(differ) == 0 {
		f.raw = nil
	}
}

// irrelevant reports whether the first of some directories says nothing about transcripts
// that those behind it do not: one with outputs, and that of a session which has its
// agents in the next.
func irrelevant(dirs []sesskeep.Dir) bool {
	name := dirs[0].Name
	switch strings.Count(name, "/") {
	case 2:
		return len(dirs) > 1 && dirs[1].Name == name+"/subagents"
	case 3:
		return strings.HasSuffix(name, "/tool-results")
	}
	return false
}

// folderStamps looks at what is in one folder.
type folderStamps struct {
	store  *sesskeep.Store
	prefix string // of the names in the folder
	handle handle // on the folder
}

// stamp is that of the store. Most files are found by a handle on their folder,
// which is quicker than by the whole path; what is not is a matter for the store,
// which knows of links and of copies.
func (g *folderStamps) stamp(name string) (homefs.Mark, bool) {
	if rest, ok := strings.CutPrefix(name, g.prefix); ok {
		if stat, ok := g.handle.stamp(rest); ok {
			return stat, true
		}
	}
	return g.store.Files().Stamp(name)
}

// parallel runs f for the numbers below n, on all processors: what it asks is
// the file system.
func parallel(n int, f func(i int)) {
	var next atomic.Int64
	onAllProcessors(func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	})
}

// onAllProcessors runs f on every processor, and waits for all of them.
func onAllProcessors(f func()) {
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(f)
	}
	wg.Wait()
}
