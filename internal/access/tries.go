package access

import (
	"sync"
	"time"
)

// Tries counts failed attempts by source.
type Tries struct {
	Most int           // how many are allowed in every Per
	Per  time.Duration // the time over which they are counted
	Now  func() time.Time

	mu     sync.Mutex
	failed map[string]window
}

type window struct {
	began time.Time
	count int
}

// maxSources bounds the memory: beyond that many sources at once, all are counted
// together.
const maxSources = 4096

// Fail records a failed attempt. It reports whether that was one too many, and how
// long the source then has to wait.
func (t *Tries) Fail(from string) (wait time.Duration, tooMany bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.Now()
	for source, w := range t.failed {
		if now.Sub(w.began) >= t.Per {
			delete(t.failed, source)
		}
	}
	if t.failed == nil {
		t.failed = map[string]window{}
	}
	if _, known := t.failed[from]; !known && len(t.failed) >= maxSources {
		from = ""
	}
	w := t.failed[from]
	if w.count == 0 {
		w.began = now
	}
	w.count++
	t.failed[from] = w
	return w.began.Add(t.Per).Sub(now), w.count > t.Most
}
