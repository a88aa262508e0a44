package api

import (
	"sync"
	"time"
)

// rates bounds how many requests one caller sends. Nobody who is served page by
// page comes near it.
type rates struct {
	now func() time.Time

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	left float64
	at   time.Time
}

// The bounds of a caller: how many requests at once, and how many a second.
const (
	burst      = 400
	perSecond  = 200
	maxCallers = 4096
)

// spend takes one request off what a caller has left, or tells how long to wait.
func (r *rates) spend(who string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if r.buckets == nil || len(r.buckets) >= maxCallers {
		r.buckets = map[string]bucket{} // to begin anew costs nobody anything
	}
	b, known := r.buckets[who]
	if !known {
		b = bucket{burst, now}
	}
	b.left = min(burst, b.left+perSecond*max(0, now.Sub(b.at)).Seconds())
	b.at = now
	wait := time.Duration(0)
	if b.left < 1 {
		wait = time.Duration((1 - b.left) / perSecond * float64(time.Second))
	} else {
		b.left--
	}
	r.buckets[who] = b
	return wait
}

// maxStreams is how many streams one caller has open.
const maxStreams = 32

// streams counts the open streams by caller.
type streams struct {
	mu   sync.Mutex
	open map[string]int
}

// acquire takes one of a caller's streams, and reports whether there was one left.
func (s *streams) acquire(who string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]int{}
	}
	if s.open[who] >= maxStreams {
		return false
	}
	s.open[who]++
	return true
}

func (s *streams) release(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[who]--; s.open[who] == 0 {
		delete(s.open, who)
	}
}
