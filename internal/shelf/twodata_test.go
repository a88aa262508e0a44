package shelf

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/lock"
)

// Two processes that keep their data in different places take turns in one home.
func TestTwoDataDirectories(t *testing.T) {
	w := worlds()["replace"].build(t)
	if l, err := lock.AcquireDir(w.home()); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("directories cannot be locked here")
	} else if err == nil {
		check(t, l.Release())
	}
	other := New(filepath.Join(w.dir, "other"), time.Now)
	other.patience = 50 * time.Millisecond
	p, err := w.plan(w)
	check(t, err)
	s := w.shelf()
	met := false
	s.data.at = func(point string) error {
		if point == "exchange" && !met {
			met = true
			if _, err := other.Do(context.Background(), p); !errors.Is(err, ErrHeld) {
				t.Errorf("the other one: %v", err)
			}
		}
		return nil
	}
	do(t, s, p)
	if !met {
		t.Fatal("nobody came in between")
	}
	w.want(t, w.done)
	if _, err := other.Do(context.Background(), p); !errors.Is(err, ErrChanged) {
		t.Errorf("after that: %v", err)
	}
}
