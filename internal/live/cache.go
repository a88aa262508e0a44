package live

import (
	"sync"

	"sesskeep"
)

// cache keeps the entries of ranges that were read lately, by the number of
// their event, so that all subscribers share one reading.
type cache struct {
	mu    sync.Mutex
	held  map[uint64]*sharedRead
	order []uint64 // of held, the oldest first
	size  int      // bytes of the entries
}

// sharedRead is a range that is being read or was.
type sharedRead struct {
	done    chan struct{} // closed when the rest is set
	entries []sesskeep.Entry
	size    int
	err     error
}

// How much is kept. The latest reading is, however large it is.
const (
	cacheSize  = 8 << 20 // bytes
	cacheCount = 4096
)

// put adds entries that the Hub has just read itself.
func (c *cache) put(n uint64, entries []sesskeep.Entry) {
	r := &sharedRead{done: make(chan struct{}), entries: entries, size: weight(entries)}
	close(r.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold(n, r)
	c.shrink()
}

// load returns the entries of a range. The first who asks for them reads; those
// who ask meanwhile wait for the same result. A failed reading is not kept.
func (c *cache) load(n uint64, read func() ([]sesskeep.Entry, error)) ([]sesskeep.Entry, error) {
	c.mu.Lock()
	r := c.held[n]
	if r != nil {
		c.mu.Unlock()
		<-r.done
		return r.entries, r.err
	}
	r = &sharedRead{done: make(chan struct{}), err: errShort}
	c.hold(n, r)
	c.mu.Unlock()
	defer func() { // even if read panics: others wait
		c.mu.Lock()
		defer c.mu.Unlock()
		if r.err != nil && c.held[n] == r {
			delete(c.held, n)
		} else if c.held[n] == r {
			r.size = weight(r.entries)
			c.size += r.size
			c.shrink()
		}
		close(r.done)
	}()
	r.entries, r.err = read()
	return r.entries, r.err
}

func (c *cache) hold(n uint64, r *sharedRead) {
	if c.held == nil {
		c.held = map[uint64]*sharedRead{}
	}
	c.held[n] = r
	c.order = append(c.order, n)
	c.size += r.size
}

// shrink drops the oldest readings until the rest fits.
func (c *cache) shrink() {
	for len(c.order) > 1 && (c.size > cacheSize || len(c.order) > cacheCount) {
		if r := c.held[c.order[0]]; r != nil {
			c.size -= r.size
			delete(c.held, c.order[0])
		}
		c.order = c.order[1:]
	}
}

func weight(entries []sesskeep.Entry) int {
	n := 0
	for i := range entries {
		n += len(entries[i].Raw)
	}
	return n
}
