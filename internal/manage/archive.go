package manage

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
func (mg *Manager) Archive(ctx context.Context, d acts.Doing, s Selection) (acts.Outcome, error) {
	busy := mg.live.Sessions()
	now := mg.opts.Now().UTC().Truncate(1e6)
	return mg.each(ctx, d, "archive", s, func(ctx context.Context, i *item, _ *acts.Result) (string, shelf.Steps, error) {
		if !i.label.Archived.IsZero() {
			return "", nil, nil
		}
		if !d.Force {
			if err := busy.Check(ctx, i.home, i.id); err != nil {
				return "", nil, &sesskeep.Error{Op: "archive", Name: string(i.id), Err: err}
			}
		}
		if err := mg.keep(ctx, d, i); err != nil {
			return "", nil, &sesskeep.Error{Op: "archive", Name: string(i.id), Err: err}
		}
		return "", shelf.Steps{labelStep(i, func(l *label.Label) { l.Archived = now })}, nil
	})
}

// keep copies a session whole. A dry run only finds out whether all of it can be
// found.
func (mg *Manager) keep(ctx context.Context, d acts.Doing, i *item) error {
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
	return mg.opts.Keep.Session(ctx, catalog.Target{Store: i.home.Store, Ref: i.row.Ref})
}

// Unarchive shows sessions in lists and counts again. Their copies stay. What is
// not there is [errcode.NotFound] in its result.
func (mg *Manager) Unarchive(ctx context.Context, d acts.Doing, s Selection) (acts.Outcome, error) {
	return mg.each(ctx, d, "unarchive", s, func(_ context.Context, i *item, _ *acts.Result) (string, shelf.Steps, error) {
		if i.label.Archived.IsZero() {
			return "", nil, nil
		}
		return "", shelf.Steps{labelStep(i, func(l *label.Label) { l.Archived = label.Label{}.Archived })}, nil
	})
}
