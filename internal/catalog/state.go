package catalog

import (
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
)

// stateFilter gives a filter that asks for states those of the sessions that live, and
// returns what fills the states of the rows it finds.
func (c *Catalog) stateFilter(ctx context.Context, x *index.Index, f *ask.Filter) (fill func(*Session), err error) {
	judge, err := c.index.FilterStates(ctx, x, f)
	return func(r *Session) {
		if judge != nil && !r.IsAgent {
			r.State = judge(r.Key, r.Standing, r.LastActivityAt.Time)
			if r.Unreadable != "" && r.MessageCount == 0 && r.State != nil && r.State.PID == 0 {
				r.State.Why = "what was said cannot be read" // not that there was nothing
			}
		}
	}, err
}
