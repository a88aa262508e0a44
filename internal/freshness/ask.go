package freshness

import (
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
)

// Ask runs a query on the index. If the query finds damage, Ask rebuilds the index,
// which loses nothing, and runs it again.
func (f *Index) Ask(ctx context.Context, rowsOnly bool, question func(x *index.Index) error) error {
	_, err := f.AskCovered(ctx, rowsOnly, question)
	return err
}

// AskCovered is Ask, and returns how much the answer was made from.
func (f *Index) AskCovered(ctx context.Context, rowsOnly bool, question func(x *index.Index) error) (ask.Coverage, error) {
	covered, x, err := f.askOnce(ctx, rowsOnly, question)
	if err != nil && ctx.Err() != nil {
		return covered, ctx.Err() // whatever the error looks like from below
	}
	if x == nil || !index.Damaged(err) {
		return covered, err
	}
	if err := f.rebuild(ctx, x); err != nil {
		return covered, err
	}
	covered, _, err = f.askOnce(ctx, rowsOnly, question)
	return covered, err
}

// askOnce runs a query on the index. An answer is complete only if all of it comes from
// an index that a walk has filled: one that was deleted meanwhile starts empty.
func (f *Index) askOnce(ctx context.Context, rowsOnly bool, question func(x *index.Index) error) (ask.Coverage, *index.Index, error) {
	x, err := f.refreshed(ctx, rowsOnly)
	if err != nil {
		return ask.Coverage{}, nil, err
	}
	edition := x.Edition()
	covered := f.coverageFor(rowsOnly)
	covered.Complete = covered.Complete && f.status.filled(edition)
	f.mirror(ctx, x)
	err = question(x)
	covered.Complete = covered.Complete && x.Edition() == edition
	return covered, x, err
}

// Answer runs a query that returns a value on the whole index.
func Answer[T any](ctx context.Context, f *Index, question func(x *index.Index) (T, error)) (out T, err error) {
	err = f.Ask(ctx, false, func(x *index.Index) (err error) {
		out, err = question(x)
		return err
	})
	return out, err
}
