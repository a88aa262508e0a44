package live

import (
	"sync"

	"github.com/fsnotify/fsnotify"
)

// relay is the notifier of systems that have no queue of their own. It gathers what
// a library reports.
type relay struct {
	fs    *fsnotify.Watcher
	ready chan struct{}
	done  sync.WaitGroup

	mu     sync.Mutex
	list   []change
	lost   bool
	silent bool // it has said that there is something
}

func newRelay() (*relay, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	r := &relay{fs: w, ready: make(chan struct{}, 1)}
	r.done.Go(func() {
		for ev := range w.Events {
			r.add(func() { r.list = append(r.list, change{ev.Name, ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename)}) })
		}
	})
	// The library can hold a lock until somebody takes its errors, which Add needs.
	r.done.Go(func() {
		for range w.Errors {
			r.add(func() { r.lost = true })
		}
	})
	return r, nil
}

// add notes something, and says so once.
func (r *relay) add(what func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	what()
	r.say()
}

func (r *relay) say() {
	if !r.silent && (r.lost || len(r.list) > 0) {
		r.silent = true
		r.ready <- struct{}{}
	}
}

func (r *relay) Ready() <-chan struct{} { return r.ready }

func (r *relay) Drain(give func(change)) (lost bool) {
	r.mu.Lock()
	list := r.list
	lost, r.list, r.lost = r.lost, nil, false
	r.mu.Unlock()
	for _, c := range list {
		give(c)
	}
	return lost
}

func (r *relay) Listen() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silent = false
	r.say()
}

func (r *relay) Add(dir string) error    { return r.fs.Add(dir) }
func (r *relay) Remove(dir string) error { return r.fs.Remove(dir) }

func (r *relay) Close() {
	r.fs.Close()
	r.done.Wait()
}
