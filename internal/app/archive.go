package app

import (
	"context"
	"errors"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
	"sesskeep/internal/label"
	"sesskeep/internal/shelf"
)

// Archive puts sessions away: lists and counts leave them out, and their copies
// are kept for ever. Each is copied whole before, and is not archived where that
// cannot be done. Without Force a session that is in use is [errcode.Held].
func (a *App) Archive(ctx context.Context, d acts.Doing, s Selection) (Outcome, error) {
	busy := a.liveness(ctx)
	now := a.now().UTC().Truncate(1e6)
	return a.each(ctx, d, "archive", s, func(ctx context.Context, i *item, _ *Result) (string, shelf.Steps, error) {
		if !i.label.Archived.IsZero() {
			return "", nil, nil
		}
		if !d.Force {
			if err := busy(i); err != nil {
				return "", nil, &sesskeep.Error{Op: "archive", Name: string(i.id), Err: err}
			}
		}
		if err := a.keep(ctx, d, i); err != nil {
			return "", nil, &sesskeep.Error{Op: "archive", Name: string(i.id), Err: err}
		}
		return "", shelf.Steps{labelStep(i, func(l *label.Label) { l.Archived = now })}, nil
	})
}

// keep copies a session whole. A dry run only finds out whether all of it can be
// found.
func (a *App) keep(ctx context.Context, d acts.Doing, i *item) error {
	if i.home.Copies == nil {
		return errcode.ErrNoCopies
	}
	if store := i.home.Disk(); d.DryRun && store != nil {
		_, err := store.Family(i.id)
		if errors.Is(err, sesskeep.ErrIncomplete) {
			return err
		}
	}
	if d.DryRun {
		return nil
	}
	return a.Keep.Session(ctx, catalog.Target{Store: i.home.Store, Ref: i.row.Ref})
}

// Unarchive shows sessions in lists and counts again. Their copies stay. What is
// not there is [errcode.NotFound] in its result.
func (a *App) Unarchive(ctx context.Context, d acts.Doing, s Selection) (Outcome, error) {
	return a.each(ctx, d, "unarchive", s, func(_ context.Context, i *item, _ *Result) (string, shelf.Steps, error) {
		if i.label.Archived.IsZero() {
			return "", nil, nil
		}
		return "", shelf.Steps{labelStep(i, func(l *label.Label) { l.Archived = label.Label{}.Archived })}, nil
	})
}
