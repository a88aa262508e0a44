package follow

import (
	"context"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/live"
	"sesskeep/internal/money"
)

// Sources is where following learns what happens and what sessions are called.
type Sources struct {
	Hub    live.Options
	Shared *live.Shared // the one Hub of the process
	// Index gives the index as it is, without bringing it up to date.
	Index func() (*index.Index, error)
	// Rows lists sessions of the index brought up to date, with their states.
	Rows func(ctx context.Context, f ask.Filter) ([]Listed, error)
	// Costs prices sessions by id; false: not all of it is known by now.
	Costs func(ctx context.Context, ids []string, prices *money.Prices) (map[sesskeep.Key]money.SessionCost, bool)
	// Window is how many tokens a client said that a session's model can have
	// before it; 0, or a nil function: it did not.
	Window func(root, session, model string) int64
}

// Listed is a session of the index and what it does now.
type Listed struct {
	Row   ask.Row
	State live.State
}

// hub is how a Hub with this clock is run.
func (s *Sources) hub(now func() time.Time) live.Options {
	o := s.Hub
	o.Now = now
	return o
}

// window returns the context window of a session's model in tokens: what its
// client reported, else what is known of the model; 0: neither.
func (s *Sources) window(root string, id sesskeep.SessionID, last *lastSaid) int64 {
	if s.Window != nil && last.context > 0 {
		if reported := s.Window(root, string(id), last.model); reported >= last.most {
			return max(reported, 0)
		}
	}
	return last.window()
}

// store is the opened home at root, or nil.
func (s *Sources) store(root string) *sesskeep.Store {
	i := slices.IndexFunc(s.Hub.Stores, func(store *sesskeep.Store) bool { return store.Root() == root })
	if i < 0 {
		return nil
	}
	return s.Hub.Stores[i]
}

// home is the opened home that a session is of, or nil.
func (s *Sources) home(key sesskeep.Key) *sesskeep.Store {
	i := slices.IndexFunc(s.Hub.Stores, func(store *sesskeep.Store) bool { return store.SessionKey(key.Session) == key })
	if i < 0 {
		return nil
	}
	return s.Hub.Stores[i]
}

// root is the path of the home that a session is of, or empty.
func (s *Sources) root(key sesskeep.Key) string {
	if store := s.home(key); store != nil {
		return store.Root()
	}
	return ""
}

// roots are the paths of the opened homes.
func (s *Sources) roots() []string {
	roots := make([]string, len(s.Hub.Stores))
	for i, store := range s.Hub.Stores {
		roots[i] = store.Root()
	}
	return roots
}
