package holder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sesskeep/internal/regular"
)

// releaseTime is how long a holder may take after the end of its run to send notices
// and serve its followers.
const releaseTime = 10 * time.Second

// awaitRelease waits until the holder of a run that has ended releases it. The
// holder writes the end and removes the socket after it reports the end.
func (s Store) awaitRelease(ctx context.Context, id string) error {
	for end := time.Now().Add(releaseTime); s.held(id); {
		if time.Now().After(end) {
			return fmt.Errorf("run %s: %w", id, ErrLives)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

func (s Store) lifeDamaged(id string) error {
	return fmt.Errorf("%s is damaged: not all that happened is known", s.LifeFile(id))
}

// Remove deletes the files of a run that has ended, or that is unreadable and not
// held. It does not touch the session.
func (s Store) Remove(ctx context.Context, id string) error {
	rec, err := s.Read(ctx, id)
	if errors.Is(err, ErrNoRun) {
		return err
	}
	if err == nil && rec.Living() || err != nil && s.held(id) {
		return fmt.Errorf("run %s: %w", id, ErrLives)
	}
	if err := s.awaitRelease(ctx, id); err != nil {
		return err
	}
	if n := runNumber(id); n > s.lastRemoved() {
		if err := regular.Replace(filepath.Join(s.Dir, "removed"), fmt.Appendln(nil, n)); err != nil {
			return err
		}
	}
	return os.RemoveAll(s.path(id))
}

// Expire removes runs that ended more than age ago, and returns how many.
func (s Store) Expire(ctx context.Context, age time.Duration) (int, error) {
	list, err := s.List(ctx)
	removed := 0
	for _, rec := range list {
		if rec.Living() || s.now().Sub(rec.Since.Time) < age {
			continue
		}
		if e := s.Remove(ctx, rec.ID); e != nil {
			err = errors.Join(err, e)
			continue
		}
		removed++
	}
	return removed, err
}
