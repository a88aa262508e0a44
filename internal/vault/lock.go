package vault

import (
	"context"
	"errors"
	"time"

	"sesskeep/internal/lock"
)

// wait waits until no other process has a lock.
func (h *Home) wait(ctx context.Context, path string) (*lock.Lock, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, h.vault.o.Patience, ErrHeld)
	defer cancel()
	for {
		l, err := lock.Take(path)
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
