package search

import (
	"context"
	"sync"

	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index/row"
)

// inFlight are the searches under way, so that equal ones are carried out once: several
// windows of one dashboard ask the same when something changes.
type inFlight struct {
	mu   sync.Mutex
	runs map[string]*flight
}

// flight is a search that any number of callers wait for.
type flight struct {
	waiting int
	cancel  context.CancelFunc
	done    chan struct{} // closed when page and err are there
	page    ask.SearchPage
	err     error
}

// do carries out a search, or waits for an equal one. It ends when the last of those who
// wait gives up. Callers share what is found and must not change it.
func (f *inFlight) do(ctx context.Context, name string, search func(ctx context.Context) (ask.SearchPage, error)) (ask.SearchPage, error) {
	run := f.join(ctx, name, search)
	select {
	case <-run.done:
		return run.page, run.err
	case <-ctx.Done():
		if last := f.leave(name, run); last {
			<-run.done // so that none of its work outlives the call
		}
		return ask.SearchPage{}, ctx.Err()
	}
}

func (f *inFlight) join(ctx context.Context, name string, search func(ctx context.Context) (ask.SearchPage, error)) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if run := f.runs[name]; run != nil {
		run.waiting++
		return run
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	run := &flight{waiting: 1, cancel: cancel, done: make(chan struct{})}
	if f.runs == nil {
		f.runs = map[string]*flight{}
	}
	f.runs[name] = run
	go func() {
		defer cancel()
		run.page, run.err = search(ctx)
		f.forget(name, run)
		close(run.done)
	}()
	return run
}

// leave cancels a search that no other caller waits for, and reports whether it did.
func (f *inFlight) leave(name string, run *flight) (last bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if run.waiting--; run.waiting > 0 {
		return false
	}
	run.cancel()
	if f.runs[name] == run {
		delete(f.runs, name)
	}
	return true
}

func (f *inFlight) forget(name string, run *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.runs[name] == run {
		delete(f.runs, name)
	}
}

// name is equal for searches with equal answers at one state of the index.
func (s *search) name(homes []ask.Home, commit int64) string {
	f := &row.Filter{Filter: s.Filter}
	return cursor.Hash(s.matchesName(homes), commit, s.Limit, s.Offset, s.Cursor, s.Bare, s.NoRows, s.Count, s.Once, s.Budget, s.Hasty, s.Summarize != nil,
		f.Projects, f.Since.UnixNano(), f.Until.UnixNano(), f.Idle.UnixNano(), f.Unchanged.UnixNano(), f.Among, f.LiveNames())
}
