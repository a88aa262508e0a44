package shelf_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"sesskeep/internal/shelf"
)

// A change is planned again only where another program wrote a file meanwhile.
func TestRetry(t *testing.T) {
	calls := 0
	err := shelf.Retry(t.Context(), func() error {
		if calls++; calls < 3 {
			return fmt.Errorf("settings.json: %w", shelf.ErrChanged)
		}
		return nil
	})
	if err != nil || calls != 3 {
		t.Errorf("%d calls, %v; want 3 and no error", calls, err)
	}
	full := errors.New("no space left")
	calls = 0
	if err := shelf.Retry(t.Context(), func() error { calls++; return full }); !errors.Is(err, full) || calls != 1 {
		t.Errorf("%d calls, %v; want 1 and %v", calls, err, full)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls = 0
	err = shelf.Retry(ctx, func() error {
		calls++
		cancel()
		return shelf.ErrChanged
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%d calls, %v; want 1 and %v", calls, err, context.Canceled)
	}
}
