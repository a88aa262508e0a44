package runs

import (
	"context"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/holder"
)

// Living finds the sessions that our runs use now, so that others leave them alone.
// Where clients do not register, nothing else shows them.
type Living struct {
	Data string           // our data directory; empty: there are no runs
	Now  func() time.Time // nil: time.Now
}

// Store returns the runs of this user; false if there is no data directory.
func (l Living) Store() (holder.Store, bool) {
	return holder.Store{Dir: Dir(l.Data), Now: l.Now}, l.Data != ""
}

// Held maps sessions that we run to their runs.
type Held map[sesskeep.SessionID]holder.Record

// Sessions returns the sessions that we run.
func (l Living) Sessions(ctx context.Context) (Held, error) {
	store, ok := l.Store()
	if !ok {
		return nil, nil
	}
	runs, err := store.Living(ctx)
	held := Held{}
	for _, r := range runs {
		if !r.Foreign {
			held[lower(sesskeep.SessionID(r.SessionID))] = r
		}
	}
	return held, err
}

// Of returns the run of a session of a home; false if there is none.
func (l Living) Of(ctx context.Context, root string, id sesskeep.SessionID) (holder.Record, bool, error) {
	held, err := l.Sessions(ctx)
	r, ok := held.In(root, id)
	return r, ok, err
}

// In returns the run of a session of a home; false if there is none.
func (held Held) In(root string, id sesskeep.SessionID) (holder.Record, bool) {
	r, ok := held[lower(id)]
	return r, ok && InHome(&r, root)
}

// InHome reports whether the session of a run is in a home.
func InHome(r *holder.Record, root string) bool { return r.Root == "" || r.Root == root }

func lower(id sesskeep.SessionID) sesskeep.SessionID {
	return sesskeep.SessionID(strings.ToLower(string(id)))
}
