package live

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
)

// watcher keeps watches on as many directories as the system allows.
type watcher struct {
	system notifier // nil: nothing can be watched
	try    func(n notifier, dir string) error
	fail   func(error)    // called with what cannot be watched
	held   map[string]int // watched path → what it costs
	cost   int            // of all
	list   []change       // that was returned last
}

func newWatcher(h *Hub) *watcher {
	w := &watcher{try: h.watch, fail: h.limit, held: map[string]int{}}
	if !h.o.Poll {
		var err error
		if w.system, err = h.newNotifier(); err != nil { // the user has too many of them open: then we look
			w.system = nil
			h.limit(fmt.Errorf("watch for changes: %w", err))
		}
	}
	return w
}

// ready says that there are changes; see notifier.
func (w *watcher) ready() <-chan struct{} {
	if w.system == nil {
		return nil
	}
	return w.system.Ready()
}

// changes returns what changed, and whether some of it was lost. The list is valid
// until the next call.
func (w *watcher) changes() (list []change, lost bool) {
	w.list = w.list[:0]
	lost = w.system.Drain(func(c change) {
		if c.gone {
			w.forget(c.path)
		}
		w.list = append(w.list, c)
	})
	return w.list, lost
}

// listen asks to be woken by the next change.
func (w *watcher) listen() { w.system.Listen() }

// add watches a directory with so many files in it, and reports whether it did
// not do so before. A directory that cannot be watched, for want of room or
// because it is not there, stays without: see has.
func (w *watcher) add(path string, files int) bool {
	if w.system == nil || w.has(path) {
		return false
	}
	cost := 1 + files*costOfFile
	if w.cost+cost > watchRoom {
		return false
	}
	if err := w.try(w.system, path); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.fail(fmt.Errorf("watch %s: %w", path, err))
		}
		return false
	}
	w.held[path] = cost
	w.cost += cost
	return true
}

func (w *watcher) has(path string) bool {
	_, ok := w.held[path]
	return ok
}

// drop ends a watch.
func (w *watcher) drop(path string) {
	if w.has(path) {
		w.forget(path)
		_ = w.system.Remove(path) // it may be gone with its directory
	}
}

// dropBelow ends the watches on a directory and on what lies below it.
func (w *watcher) dropBelow(dir string) {
	for path := range maps.Clone(w.held) {
		if path == dir || strings.HasPrefix(path, dir+string(filepath.Separator)) {
			w.drop(path)
		}
	}
}

// forget notes that the system ended a watch, as it does when the directory is
// deleted or moved away.
func (w *watcher) forget(path string) {
	w.cost -= w.held[path]
	delete(w.held, path)
}

// close ends all watches.
func (w *watcher) close() {
	if w.system != nil {
		w.system.Close()
	}
}
