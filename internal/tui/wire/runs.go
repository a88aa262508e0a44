package wire

import (
	"context"
	"slices"
	"sync"

	"sesskeep/internal/holder"
	"sesskeep/internal/runs"
)

// Runs keeps what sesskeep runs for somebody who looks at it now and then.
type Runs struct {
	runs *runs.Runs
	some chan struct{} // there is news

	mu    sync.Mutex
	known []holder.Record // the newest first
	inbox []runs.InboxItem
	lost  []string // runs that cannot be read
	err   error
}

// NewRuns makes one; without runs it never has news.
func NewRuns(runs *runs.Runs) *Runs { return &Runs{runs: runs, some: make(chan struct{}, 1)} }

// Start watches until ctx ends. The channel is closed when that is over.
func (r *Runs) Start(ctx context.Context) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if r.runs == nil {
			return
		}
		err := r.runs.Watch(ctx, func(n runs.News) error { r.apply(&n); return nil })
		if ctx.Err() == nil {
			r.mu.Lock()
			r.err = err
			r.mu.Unlock()
			r.signal()
		}
	}()
	return ended
}

func (r *Runs) apply(n *runs.News) {
	r.mu.Lock()
	r.known = slices.DeleteFunc(r.known, func(have holder.Record) bool {
		return slices.Contains(n.Gone, have.ID) || slices.ContainsFunc(n.Runs, func(is holder.Record) bool { return is.ID == have.ID })
	})
	r.known = append(r.known, n.Runs...)
	slices.SortStableFunc(r.known, func(a, b holder.Record) int { return b.CreatedAt.Compare(a.CreatedAt.Time) })
	if n.Inbox != nil {
		r.inbox = n.Inbox.Prompts
	}
	if n.Unread != nil {
		r.lost = n.Unread
	}
	r.mu.Unlock()
	r.signal()
}

func (r *Runs) signal() {
	select {
	case r.some <- struct{}{}:
	default:
	}
}

// Unread are the runs that cannot be read, and why.
func (r *Runs) Unread() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.lost)
}

// Next waits until a run or a question changes, and returns all of both. ok is false once ctx
// has ended. Only one goroutine at a time may wait.
func (r *Runs) Next(ctx context.Context) (runs []holder.Record, inbox []runs.InboxItem, ok bool, err error) {
	select {
	case <-r.some:
	case <-ctx.Done():
		return nil, nil, false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.known), slices.Clone(r.inbox), true, r.err
}
