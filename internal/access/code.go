package access

import (
	"sync"
	"time"
)

// Codes are one-time codes, each with what it stands for.
type Codes[T any] struct {
	Life time.Duration    // how long a code is good
	Now  func() time.Time // nil: time.Now

	mu   sync.Mutex
	open map[string]entry[T]
}

type entry[T any] struct {
	value T
	until time.Time
}

// maxCodes bounds how many wait to be used. The oldest go first.
const maxCodes = 1000

// New makes a code that stands for value.
func (c *Codes[T]) New(value T) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.drop(now)
	if c.open == nil {
		c.open = map[string]entry[T]{}
	}
	code := newCode()
	c.open[code] = entry[T]{value, now.Add(c.Life)}
	return code
}

// Use gives what the code stands for, once.
func (c *Codes[T]) Use(code string) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.now())
	e, ok := c.open[code]
	delete(c.open, code)
	return e.value, ok
}

// drop forgets what is too old, and the oldest of too many.
func (c *Codes[T]) drop(now time.Time) {
	oldest := ""
	for code, e := range c.open {
		if !now.Before(e.until) {
			delete(c.open, code)
		} else if oldest == "" || e.until.Before(c.open[oldest].until) {
			oldest = code
		}
	}
	if len(c.open) >= maxCodes {
		delete(c.open, oldest)
	}
}

func (c *Codes[T]) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}
