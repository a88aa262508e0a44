package access

import (
	"sync"
	"time"
)

// Codes are one-time codes, each with a value.
type Codes[T any] struct {
	Life time.Duration    // how long a code is valid
	Now  func() time.Time // nil: time.Now

	mu   sync.Mutex
	open map[string]entry[T]
	made int // so far
}

type entry[T any] struct {
	value  T
	until  time.Time
	number int // sequence number: many have the same age
}

// maxCodes bounds the unused codes. The oldest are dropped first.
const maxCodes = 1000

// New creates a code for value.
func (c *Codes[T]) New(value T) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.expire(now)
	if len(c.open) >= maxCodes {
		delete(c.open, c.oldest())
	}
	if c.open == nil {
		c.open = map[string]entry[T]{}
	}
	code := newCode()
	c.made++
	c.open[code] = entry[T]{value, now.Add(c.Life), c.made}
	return code
}

// Use returns the value of a code, once.
func (c *Codes[T]) Use(code string) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(c.now())
	e, ok := c.open[code]
	delete(c.open, code)
	return e.value, ok
}

// expire drops expired codes.
func (c *Codes[T]) expire(now time.Time) {
	for code, e := range c.open {
		if !now.Before(e.until) {
			delete(c.open, code)
		}
	}
}

// oldest returns the code that was created first.
func (c *Codes[T]) oldest() (code string) {
	for other, e := range c.open {
		if code == "" || e.number < c.open[code].number {
			code = other
		}
	}
	return code
}

func (c *Codes[T]) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}
