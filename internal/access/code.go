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
	made int // so far
}

type entry[T any] struct {
	value  T
	until  time.Time
	number int // of all that were made: many are as old as each other
}

// maxCodes bounds how many wait to be used. The oldest go first.
const maxCodes = 1000

// New makes a code that stands for value.
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

// Use gives what the code stands for, once.
func (c *Codes[T]) Use(code string) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire(c.now())
	e, ok := c.open[code]
	delete(c.open, code)
	return e.value, ok
}

// expire forgets what is too old.
func (c *Codes[T]) expire(now time.Time) {
	for code, e := range c.open {
		if !now.Before(e.until) {
			delete(c.open, code)
		}
	}
}

// oldest is the code that was made first.
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
