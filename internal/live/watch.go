package live

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/fsnotify/fsnotify"
)

// watcher keeps watches on directories, as far as the system lets it.
type watcher struct {
	fs   *fsnotify.Watcher // nil: nothing can be watched
	try  func(w *fsnotify.Watcher, path string) error
	fail func(error)    // is told what cannot be watched
	held map[string]int // watched path → what it costs
	cost int            // of all

	trouble chan struct{} // events were lost
	done    chan struct{} // closed when nothing of it runs any more
}

// watchQueue is how many events wait while the Hub reads: enough to see a
// burst of writes as one.
const watchQueue = 1024

func newWatcher(h *Hub) *watcher {
	w := &watcher{try: h.watch, fail: h.limit, held: map[string]int{}, trouble: make(chan struct{}, 1), done: make(chan struct{})}
	if !h.o.Poll {
		var err error
		if w.fs, err = h.newNotifier(watchQueue); err != nil { // the user has too many of them open: then we look
			w.fs = nil
			h.limit(fmt.Errorf("watch for changes: %w", err))
		}
	}
	if w.fs == nil {
		close(w.done)
		return w
	}
	go w.drainErrors()
	return w
}

// drainErrors takes errors off the watcher, which can hold a lock until somebody does
// that the Hub needs to add a watch.
func (w *watcher) drainErrors() {
	defer close(w.done)
	for range w.fs.Errors {
		select {
		case w.trouble <- struct{}{}:
		default:
		}
	}
}

func (w *watcher) events() <-chan fsnotify.Event {
	if w.fs == nil {
		return nil
	}
	return w.fs.Events
}

// add watches a directory with so many files in it, and reports whether it did
// not do so before. A directory that cannot be watched, for want of room or
// because it is not there, stays without: see has.
func (w *watcher) add(path string, files int) bool {
	if w.fs == nil || w.has(path) {
		return false
	}
	cost := 1 + files*costOfFile
	if w.cost+cost > watchRoom {
		return false
	}
	if err := w.try(w.fs, path); err != nil {
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
		_ = w.fs.Remove(path) // it may be gone with its directory
	}
}

// forget notes that the system ended a watch, as it does when the directory is
// deleted or moved away.
func (w *watcher) forget(path string) {
	w.cost -= w.held[path]
	delete(w.held, path)
}

// close ends all watches and waits for the goroutine.
func (w *watcher) close() {
	if w.fs != nil {
		w.fs.Close()
	}
	<-w.done
}
