package app

import (
	"context"
	"errors"

	"sesskeep"
	"sesskeep/internal/shelf"
)

// Keeper keeps copies of families for ever.
type Keeper interface {
	// Keep makes sure that the copy of a session's family is complete.
	Keep(ctx context.Context, store *sesskeep.Store, id sesskeep.SessionID) error
	// Forget removes the copies, and reports whether there were any.
	Forget(ctx context.Context, store *sesskeep.Store, id sesskeep.SessionID) (bool, error)
}

// ErrNotKept says that a session cannot be archived, as nothing would keep it.
var ErrNotKept = errors.New("it cannot be kept: there is no vault here")

// Archive puts sessions away: lists and counts leave them out, and their copies
// are kept for ever. Each is copied whole before, and is not archived where that
// cannot be done. Without Force a session that is in use is [CodeHeld].
func (a *App) Archive(ctx context.Context, d Doing, s Selection) (Outcome, error) {
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
		return "", shelf.Steps{labelStep(i, func(l *Label) { l.Archived = now })}, nil
	})
}

func (a *App) keep(ctx context.Context, d Doing, i *item) error {
	if a.opts.Keeper == nil {
		return ErrNotKept
	}
	if d.DryRun {
		return nil
	}
	return a.opts.Keeper.Keep(ctx, i.home.store, i.id)
}

// Unarchive puts sessions back into lists and counts. Their copies stay.
func (a *App) Unarchive(ctx context.Context, d Doing, s Selection) (Outcome, error) {
	return a.each(ctx, d, "unarchive", s, func(_ context.Context, i *item, _ *Result) (string, shelf.Steps, error) {
		if i.label.Archived.IsZero() {
			return "", nil, nil
		}
		return "", shelf.Steps{labelStep(i, func(l *Label) { l.Archived = Label{}.Archived })}, nil
	})
}
