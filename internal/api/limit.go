package api

import (
	"sync"
	"time"
)

// rates limits the requests of each caller. Clients that read page by page stay far below
// the limit.
type rates struct {
	now func() time.Time

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	left float64
	at   time.Time
}

// The limits of a caller: requests at once, and requests per second.
const (
	burst      = 400
	perSecond  = 200
	maxCallers = 4096
)

// spend takes one request from the caller's budget, or returns how long to wait.
func (r *rates) spend(who string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if r.buckets == nil || len(r.buckets) >= maxCallers {
		r.buckets = map[string]bucket{} // starting over only grants more requests
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

// How many streams can be open: of one caller, and of all together. Each takes a connection for
// as long as it is open, so there have to be fewer than maxConns: who asks for one more, or for
// anything else, is answered at once.
const (
	maxStreams    = 32
	maxAllStreams = maxConns - 128
)

// streams counts the open streams by caller.
type streams struct {
	mu   sync.Mutex
	open map[string]int
	all  int
}

// acquire reserves one of the caller's streams, and reports whether one was left.
func (s *streams) acquire(who string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[string]int{}
	}
	if s.open[who] >= maxStreams || s.all >= maxAllStreams {
		return false
	}
	s.open[who]++
	s.all++
	return true
}

func (s *streams) release(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.open[who]--; s.open[who] == 0 {
		delete(s.open, who)
	}
}
