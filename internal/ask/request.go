package ask

import (
	"context"
	"time"
)

type requestKey struct{}

// WithRequest returns a context for the queries of a request that came at a time: together they
// wait for a first reading no longer than one of them would.
func WithRequest(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, requestKey{}, at)
}

// RequestTime returns when the request came that a query belongs to; now, if it belongs to none.
func RequestTime(ctx context.Context) time.Time {
	if at, ok := ctx.Value(requestKey{}).(time.Time); ok {
		return at
	}
	return time.Now()
}
