package cursor

import (
	"sync"
	"time"
)

// trailHolds is how long the next page of a list may take to be asked for.
const trailHolds = time.Minute

// Trails remembers, by the Trail of a Cursor, what the pages of a list had so far, for a
// while and for some lists at a time. A list can be read on without it too, but then a
// row that was given and has moved behind the cursor comes again.
type Trails[T any] struct {
	mu   sync.Mutex
	held map[string]trail[T]
}

type trail[T any] struct {
	what T
	till time.Time
}

// TrailsHeld is how many lists are remembered.
const TrailsHeld = 64

// Keep remembers something under a name.
func (t *Trails[T]) Keep(name string, what T, now time.Time) {
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
	if _, known := t.held[name]; !known && len(t.held) >= TrailsHeld {
		delete(t.held, oldest)
	}
	if t.held == nil {
		t.held = map[string]trail[T]{}
	}
	t.held[name] = trail[T]{what, now.Add(trailHolds)}
}

// Find returns what is remembered under a name.
func (t *Trails[T]) Find(name string, now time.Time) (what T, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, ok := t.held[name]
	if !ok || h.till.Before(now) {
		return what, false
	}
	return h.what, true
}
