package freshness

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/stamp"
)

// status records how much answers are made from. It has a lock of its own, so reading it never
// waits.
type status struct {
	mu         sync.Mutex
	rows, full bool        // the rows of the index, or all of it, were brought up to date
	some       bool        // a walk finished, if only with what another process wrote
	behind     *ask.Behind // another process is writing: only what it last committed is visible
	absent     *ask.Behind // homes are not there: only what was last known of them is visible
	walks      int
	edition    index.Edition // of the index that the last walk filled
	unlisted   []error       // why the last walk could not list some homes
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
	s.unlisted = r.Unlisted
	// What another process is writing is not up to date, but readable.
	s.setBehind(r.Behind)
	if err == nil {
		s.setAbsent(r.Absent)
	}
	s.rows = err == nil && !r.Behind
	s.full = s.rows && !rowsOnly
	s.some = s.some || err == nil && !rowsOnly
	if r.Changed() {
		s.grow()
	}
}

// absorbed records how an Absorb ended. While a walk of our own goes through the homes it is that
// which writes, and not another process.
func (s *status) absorbed(r *index.Report, walking bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !walking {
		s.setBehind(err == nil && r.Behind)
	}
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

// setBehind records whether another process is writing. The caller has the lock.
func (s *status) setBehind(behind bool) {
	switch {
	case !behind:
		s.behind = nil
	case s.behind == nil:
		s.behind = &ask.Behind{Since: stamp.Time{Time: time.Now()}, Reason: "another sesskeep is writing the index: what was added last may be missing here"}
	}
}

// setAbsent records which homes are not there. The caller has the lock.
func (s *status) setAbsent(list []*homefs.AbsentError) {
	was := s.absent
	s.absent = absence(list, time.Now())
	switch {
	case was == nil && s.absent == nil:
		return
	case was != nil && s.absent != nil:
		s.absent.Since = was.Since
	}
	if was == nil || s.absent == nil || was.Reason != s.absent.Reason {
		s.grow()
	}
}

// absence says in words what it means that homes are not there; nil: all are.
func absence(list []*homefs.AbsentError, now time.Time) *ask.Behind {
	if len(list) == 0 {
		return nil
	}
	var parts []string
	for _, a := range list {
		text := a.Error() + ": this is what was last known of it"
		if a.Empty {
			text = a.Error() + ", and its sessions are not counted as deleted: is the disk mounted? This is what was last known of it"
		}
		parts = append(parts, text)
	}
	return &ask.Behind{Since: stamp.Time{Time: now}, Reason: strings.Join(parts, "; ")}
}

// both joins two reasons why changes may be missing; either may be nil.
func both(a, b *ask.Behind) *ask.Behind {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case b.Since.Before(a.Since.Time):
		a, b = b, a
	}
	return &ask.Behind{Since: a.Since, Reason: a.Reason + "; " + b.Reason}
}

// Coverage returns how much an answer is made from now, for queries about texts and
// figures and so for any. It never waits.
func (f *Index) Coverage() ask.Coverage { return f.coverageFor(false) }

func (f *Index) coverageFor(rowsOnly bool) (c ask.Coverage) {
	if r := f.running.Load(); r != nil {
		r.mu.Lock()
		c.Reading = &ask.Progress{Files: r.files, Total: r.total}
		r.mu.Unlock()
	}
	s := &f.status
	s.mu.Lock()
	c.Behind, c.Generation = both(s.behind, s.absent), s.generation
	enough := s.full || s.rows && rowsOnly
	s.mu.Unlock()
	// A later walk that has not found anything yet does not make answers incomplete.
	if enough && c.Reading != nil && c.Reading.Total == 0 {
		c.Reading = nil
	}
	c.Complete = enough && c.Behind == nil && c.Reading == nil
	c.AddUnreadable(f.unreadable()...)
	return c
}

// CoverageOfFiles returns the coverage of an answer that was read from the files of the homes,
// without the index.
func (f *Index) CoverageOfFiles() ask.Coverage {
	c := ask.Coverage{Complete: true}
	c.AddUnreadable(f.unreadable()...)
	return c
}

// unreadable lists what could not be read and is missing in answers.
func (f *Index) unreadable() (list []ask.Unreadable) {
	for _, err := range f.opts.Unread() {
		one := ask.Unreadable{Reason: sesskeep.Cause(err).Error()}
		var named *sesskeep.Error
		var file *fs.PathError
		switch {
		case errors.As(err, &named):
			one.Path = named.Name
		case errors.As(err, &file):
			one.Path = file.Path
		}
		list = append(list, one)
	}
	return list
}

// Unlisted returns why the last walk could not list some homes: answers have what was known of
// them before.
func (f *Index) Unlisted() []error {
	f.status.mu.Lock()
	defer f.status.mu.Unlock()
	return slices.Clone(f.status.unlisted)
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
	return f.Coverage().Generation, nil
}

// Walks returns how many walks have finished.
func (f *Index) Walks() int {
	f.status.mu.Lock()
	defer f.status.mu.Unlock()
	return f.status.walks
}
