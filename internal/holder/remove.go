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

// goneTime is how long a holder may take for the end of its run: for the notices and
// followers that it waits for.
const goneTime = 10 * time.Second

// gone waits until a run that has ended is not held any more. Its holder writes the end
// and removes the socket after it says that the run has ended.
func (s Store) gone(ctx context.Context, id string) error {
	for end := time.Now().Add(goneTime); s.held(id); {
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

// Remove deletes what is kept of a run that has ended, also of one that cannot be
// read and that nobody holds. The session is not touched.
func (s Store) Remove(ctx context.Context, id string) error {
	rec, err := s.Read(ctx, id)
	if errors.Is(err, ErrNoRun) {
		return err
	}
	if err == nil && rec.Living() || err != nil && s.held(id) {
		return fmt.Errorf("run %s: %w", id, ErrLives)
	}
	if err := s.gone(ctx, id); err != nil {
		return err
	}
	if n := number(id); n > s.lastRemoved() {
		if err := regular.Replace(filepath.Join(s.Dir, "removed"), fmt.Appendln(nil, n)); err != nil {
			return err
		}
	}
	return os.RemoveAll(s.path(id))
}

// Expire removes runs that ended longer ago than an age, and tells how many.
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
