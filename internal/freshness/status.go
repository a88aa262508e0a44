package freshness

import (
	"context"
	"sync"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
)

// status records how fresh answers are. It has a lock of its own, so reading it never
// waits.
type status struct {
	mu         sync.Mutex
	rows, full bool // the rows of the index, or all of it, were brought up to date
	some       bool // a walk finished, if only with what another process wrote
	behind     bool // another process is writing: only what it last committed is visible
	walks      int
	edition    index.Edition // of the index that the last walk filled
	generation uint64
	newer      chan struct{} // closed when generation grows; nil: no caller waits
}

// has reports whether queries can be answered at once. With an owner they always can,
// once there is something.
func (s *status) has(rowsOnly, owned bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.full || s.rows && rowsOnly || s.some && owned
}

// hasWalked reports whether there was a walk.
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

// walked records how a walk ended that filled an edition of the index.
func (s *status) walked(r *index.Report, e index.Edition, rowsOnly bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.walks++
	s.edition = e
	// What another process is writing is not up to date, but readable.
	s.behind = r.Behind
	s.rows = err == nil && !r.Behind
	s.full = s.rows && !rowsOnly
	s.some = s.some || err == nil && !rowsOnly
	if r.Changed() {
		s.grow()
	}
}

// absorbed records how an Absorb ended.
func (s *status) absorbed(r *index.Report, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behind = err == nil && r.Behind
	if r.Changed() {
		s.grow()
	}
}

// startOwning records the start of an owner: from now on only a full reading counts.
func (s *status) startOwning() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.some = s.full
}

// touch wakes the callers that wait for changed answers.
func (s *status) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grow()
}

// reset forgets that anything was read.
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

// wait returns the channel that is closed when answers can differ from those at a
// generation; nil: they already can.
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

// Fresh returns how fresh an answer is now, for queries about texts and figures and so
// for any. It never waits.
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
	// A later walk that has not found anything yet does not make answers incomplete.
	fresh.Complete = enough && !s.behind && fresh.Total == 0 && len(f.opts.Unread()) == 0
	fresh.Reading = fresh.Reading && !(enough && fresh.Total == 0)
	return fresh
}

// Newer waits until answers can differ from those at a generation, and returns the
// current generation.
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

// Walks returns how many walks have finished.
func (f *Index) Walks() int {
	f.status.mu.Lock()
	defer f.status.mu.Unlock()
	return f.status.walks
}
