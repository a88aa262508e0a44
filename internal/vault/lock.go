package vault

import (
	"context"
	"errors"
	"time"

	"sesskeep/internal/lock"
)

// locks waits for the locks of a home's copies.
type locks struct {
	patience time.Duration // how long to wait for another process
}

// wait waits until no other process holds a lock, and acquires it.
func (k locks) wait(ctx context.Context, path string) (*lock.Lock, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, k.patience, ErrHeld)
	defer cancel()
	for {
		l, err := lock.Acquire(path)
		if !errors.Is(err, lock.ErrHeld) {
			return l, err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
