package freshness

import (
	"context"

	"sesskeep/internal/index"
	"sesskeep/internal/live"
)

// ErrClosed answers questions that come after the end.
var ErrClosed = errClosed

// Walks counts the walks that came to an end.
func (f *Index) Walks() int {
	f.status.mu.Lock()
	defer f.status.mu.Unlock()
	return f.status.walks
}

// Full reports whether everything was read.
func (f *Index) Full() bool { return f.status.has(false, false) }

// Stays reports whether an owner runs.
func (f *Index) Stays() bool { return f.Owned() }

// Known is how far a file was read.
func (f *Index) Known(file live.File) (live.Known, bool) { return f.known(file) }

// OnDisk reports whether questions are put to the index on disk.
func (f *Index) OnDisk() bool { return f.index == f.kept }

// FreshFor is how fresh an answer is, perhaps of rows only.
func (f *Index) FreshFor(rowsOnly bool) index.Freshness { return f.freshFor(rowsOnly) }

// Lock holds the lock of the Index, and returns what lets go of it.
func (f *Index) Lock() (unlock func()) {
	f.mu.Lock()
	return f.mu.Unlock
}

// Read reads everything once.
func (f *Index) Read(ctx context.Context) error {
	_, err := f.refresh(ctx, &reading{})
	return err
}
