package catalog

import (
	"context"

	"sesskeep"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
	"sesskeep/internal/stamp"
)

// StateWords are the words that a filter takes for it, the most urgent first, and two
// that go with any of them.
var StateWords = stateWords()

func stateWords() (list []string) {
	for _, word := range live.Words {
		list = append(list, string(word))
	}
	return append(list, "copy only", "damaged")
}

// stateFilter judges what is live for a filter that asks for states, and returns
// what fills the states of the rows it gives.
func (c *Catalog) stateFilter(ctx context.Context, x *index.Index, f *index.Filter) (fill func(*Session), err error) {
	if f.Now.IsZero() {
		return func(*Session) {}, nil
	}
	states, err := c.index.StatesIn(ctx, x, f.Now)
	if err != nil {
		return nil, err
	}
	f.Live = make(map[sesskeep.Key]string, states.Len())
	for _, s := range states.Sessions() {
		f.Live[s.Key] = string(s.State.Word)
	}
	return func(r *Session) {
		if r.IsAgent {
			return
		}
		s, ok := states.Of(r.Key)
		if !ok {
			s = live.Judge(live.Facts{Now: f.Now, Standing: r.Standing})
		}
		if s.Since.IsZero() {
			s.Since = r.LastActivityAt.Time
		}
		r.State = NewState(s)
	}, nil
}

// NewState is a state as fronts show it; nil for none.
func NewState(s live.State) *index.State {
	if s.Word == "" {
		return nil
	}
	return &index.State{Word: string(s.Word), Since: stamp.Time{Time: s.Since}, Why: s.Why, Waiting: s.Waiting, PID: s.PID}
}
