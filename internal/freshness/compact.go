package freshness

import (
	"context"

	"sesskeep/internal/index"
)

// Whole waits until the index has everything that is in the homes now.
func Whole(ctx context.Context, f *Index) error {
	if err := f.Ask(ctx, true, func(*index.Index) error { return nil }); err != nil {
		return err
	}
	return f.Finish(ctx)
}

// Compact removes for good what the index has of files that are gone.
func Compact(ctx context.Context, f *Index) error {
	f.Touch()
	if _, err := f.refreshed(ctx, false); err != nil { // all of it: rows alone leave out the trash
		return err
	}
	if err := f.Finish(ctx); err != nil {
		return err
	}
	return f.Ask(ctx, false, func(x *index.Index) error { return x.Compact(ctx) }) // with the labels as they are now
}
