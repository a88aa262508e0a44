package index

import (
	"sync"
	"time"
)

// What is remembered of a list is kept as long as somebody may go on with it.
const trailHolds = time.Minute

// trails is what an index remembers of lists that are read page by page, of some
// of them at a time. Without it they can be gone on with too, but then a row that
// was given and moves behind the cursor comes again.
type trails[T any] struct {
	mu   sync.Mutex
	held map[string]trail[T]
}

type trail[T any] struct {
	what T
	till time.Time
}

// trailsHeld is how many lists are remembered.
const trailsHeld = 64

// keep remembers what under a name.
func (t *trails[T]) keep(name string, what T, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	oldest := ""
	for name, h := range t.held {
		if h.till.Before(now) {
			delete(t.held, name)
		} else if oldest == "" || h.till.Before(t.held[oldest].till) {
			oldest = name
		}
	}
	if _, known := t.held[name]; !known && len(t.held) >= trailsHeld {
		delete(t.held, oldest)
	}
	if t.held == nil {
		t.held = map[string]trail[T]{}
	}
	t.held[name] = trail[T]{what, now.Add(trailHolds)}
}

// find gives what is remembered under a name.
func (t *trails[T]) find(name string, now time.Time) (what T, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, ok := t.held[name]
	if !ok || h.till.Before(now) {
		return what, false
	}
	return h.what, true
}
