package freshness

import (
	"sync"

	"sesskeep/internal/index"
)

// files are the index on disk and those in memory that stand in for it: while it lacks a
// home, or for good if it cannot be written.
type files struct {
	dir string // of the one on disk; empty: in memory

	mu      sync.Mutex
	current *index.Index   // the one that is queried
	disk    *index.Index   // the one that is kept up to date, on disk unless that failed
	memory  *index.Index   // while that one lacks a home
	failed  error          // why the index could not be written
	retired []*index.Index // replaced, but perhaps still in use
}

// open returns the index that is queried, as it is.
func (s *files) open() (*index.Index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		x, err := index.Open(s.dir)
		if err != nil {
			return nil, err
		}
		s.current, s.disk = x, x
	}
	return s.current, nil
}

// queried returns the index that is queried; nil: it was not opened yet.
func (s *files) queried() *index.Index {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// kept returns the index on disk, or what replaced it for good.
func (s *files) kept() *index.Index {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.disk
}

// queryKept makes queries use the index on disk.
func (s *files) queryKept() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = s.disk
}

// queryMemory makes queries use an index in memory until the one on disk contains all
// homes.
func (s *files) queryMemory() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory == nil {
		x, err := index.Open("")
		if err != nil {
			return err
		}
		s.memory = x
	}
	s.current = s.memory
	return nil
}

// writable reports whether the index on disk is in use, and not given up.
func (s *files) writable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dir != "" && s.failed == nil
}

// giveUp continues with an index in memory instead of the one on disk.
func (s *files) giveUp(why error) error {
	x, err := index.Open("")
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = why
	s.retired = append(s.retired, s.disk)
	s.current, s.disk = x, x
	return nil
}

// unkept returns why no index is kept on disk; nil: one is, or none was asked for.
func (s *files) unkept() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil || s.current == nil {
		return s.failed
	}
	return s.current.Degraded()
}

// close closes every index.
func (s *files) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range append(s.retired, s.memory) {
		if x != nil {
			x.Close()
		}
	}
	if s.disk == nil {
		return nil
	}
	return s.disk.Close()
}
