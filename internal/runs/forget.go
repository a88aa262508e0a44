package runs

import (
	"context"
	"errors"
	"fmt"

	"sesskeep/internal/holder"
)

// Matching lists the runs of the sessions and in the directories that match names.
func (l Living) Matching(ctx context.Context, match func(session, dir string) bool) (found []holder.Record, err error) {
	store, ok := l.Store()
	if !ok {
		return nil, nil
	}
	list, err := store.List(ctx)
	for i := range list {
		if r := &list[i]; match(r.SessionID, r.Dir) || match(r.Run.SessionID, "") {
			found = append(found, *r)
		}
	}
	return found, err
}

// Forget removes the files of such runs. One that lives is [holder.ErrLives].
func (l Living) Forget(ctx context.Context, match func(session, dir string) bool) error {
	store, ok := l.Store()
	if !ok {
		return nil
	}
	found, err := l.Matching(ctx, match)
	for i := range found {
		if e := store.Remove(ctx, found[i].ID); e != nil && !errors.Is(e, holder.ErrNoRun) {
			err = errors.Join(err, fmt.Errorf("remove run %s: %w", found[i].ID, e))
		}
	}
	return err
}
