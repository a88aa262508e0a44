package freshness

import (
	"context"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
	"sesskeep/internal/stamp"
)

// Judge is the state of a session: of its key, how its transcript stands, and when it was
// last active.
type Judge func(key sesskeep.Key, standing sesskeep.Standing, active time.Time) *ask.State

// FilterStates adds the states of live sessions to a filter that asks for states, and
// returns the function that judges the rows it finds; nil if the filter has no time.
func (f *Index) FilterStates(ctx context.Context, x *index.Index, filter *ask.Filter) (Judge, error) {
	if filter.Now.IsZero() {
		return nil, nil
	}
	states, err := f.StatesIn(ctx, x, filter.Now)
	if err != nil {
		return nil, err
	}
	filter.Live = make(map[sesskeep.Key]string, states.Len())
	for _, s := range states.Sessions() {
		filter.Live[s.Key] = string(s.State.Word)
	}
	now := filter.Now
	return func(key sesskeep.Key, standing sesskeep.Standing, active time.Time) *ask.State {
		s, ok := states.Of(key)
		if !ok {
			s = live.Judge(live.Facts{Now: now, Standing: standing})
		}
		if s.Since.IsZero() {
			s.Since = active
		}
		return NewState(s)
	}, nil
}

// NewState converts a state for lists; nil for none.
func NewState(s live.State) *ask.State {
	if s.Word == "" {
		return nil
	}
	return &ask.State{Word: string(s.Word), Since: stamp.Time{Time: s.Since}, Why: s.Why, Waiting: s.Waiting, PID: s.PID}
}
