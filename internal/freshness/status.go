package freshness

import (
	"context"
	"sync"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
)

// status is what is known of how fresh answers are. It has a lock of its own:
// who asks for it waits for nothing.
type status struct {
	mu         sync.Mutex
	rows, full bool // the rows of the index, or all of it, were brought up to date
	some       bool // a walk came to its end, if only to what another process wrote
	behind     bool // another process writes: what was last committed is there
	walks      int
	edition    index.Edition // of the index that the last walk filled
	generation uint64
	newer      chan struct{} // closed when generation grows; nil: nobody waits
}

// has reports whether questions can be answered at once. Where an owner brings
// the index up to date they always can, once there is something.
func (s *status) has(rowsOnly, owned bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.full || s.rows && rowsOnly || s.some && owned
}

// looked reports whether there was a walk.
func (s *status) hasWalked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.walks > 0
}

// filled reports whether a walk has filled an edition of the index.
func (s *status) filled(e index.Edition) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.edition == e
}

// walked takes in how a walk ended that filled an edition of the index.
func (s *status) walked(r *index.Report, e index.Edition, rowsOnly bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.walks++
	s.edition = e
	// What another process is writing is not up to date, but it is there.
	s.behind = r.Behind
	s.rows = err == nil && !r.Behind
	s.full = s.rows && !rowsOnly
	s.some = s.some || err == nil && !rowsOnly
	if r.Changed() {
		s.grow()
	}
}

// absorbed takes in how an Absorb ended.
func (s *status) absorbed(r *index.Report, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behind = err == nil && r.Behind
	if r.Changed() {
		s.grow()
	}
}

// own begins the time of an owner: of what was read only all of it will do.
func (s *status) startOwning() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.some = s.full
}

// touch tells those who wait that answers can be others.
func (s *status) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grow()
}

// lose forgets that anything was read.
func (s *status) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows, s.full, s.some = false, false, false
}

func (s *status) grow() {
	s.generation++
	if s.newer != nil {
		close(s.newer)
		s.newer = nil
	}
}

// wait gives the channel that is closed when answers can be others than at a
// generation; nil: they can by now.
func (s *status) wait(generation uint64) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.generation != generation {
		return nil
	}
	if s.newer == nil {
		s.newer = make(chan struct{})
	}
	return s.newer
}

// Fresh is how fresh an answer is that is given now: to a question about texts
// and figures, and so to any. It never waits.
func (f *Index) Fresh() ask.Freshness { return f.freshFor(false) }

func (f *Index) freshFor(rowsOnly bool) (fresh ask.Freshness) {
	if r := f.running.Load(); r != nil {
		r.mu.Lock()
		fresh.Reading, fresh.Files, fresh.Total = true, r.files, r.total
		r.mu.Unlock()
	}
	s := &f.status
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh.Behind, fresh.Generation = s.behind, s.generation
	enough := s.full || s.rows && rowsOnly
	// A walk that found nothing so far takes nothing away, unless it is the first.
	fresh.Complete = enough && !s.behind && fresh.Total == 0 && len(f.opts.Unread()) == 0
	fresh.Reading = fresh.Reading && !(enough && fresh.Total == 0)
	return fresh
}

// Newer waits until answers can be others than at a generation, and returns the
// one they have then.
func (f *Index) Newer(ctx context.Context, generation uint64) (uint64, error) {
	if newer := f.status.wait(generation); newer != nil {
		select {
		case <-newer:
		case <-ctx.Done():
			return generation, ctx.Err()
		}
	}
	return f.Fresh().Generation, nil
}

// Walks counts the walks that came to an end.
func (f *Index) Walks() int {
	f.status.mu.Lock()
	defer f.status.mu.Unlock()
	return f.status.walks
}
