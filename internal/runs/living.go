package runs

import (
	"context"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/holder"
)

// Living knows which sessions our runs have at this moment, for those who must leave
// them alone. Nothing else tells of them where their clients do not register.
type Living struct {
	Data string           // our data directory; empty: there are no runs
	Now  func() time.Time // nil: time.Now
}

// Store has the runs of this user, and is false where there is no place for any.
func (l Living) Store() (holder.Store, bool) {
	return holder.Store{Dir: Dir(l.Data), Now: l.Now}, l.Data != ""
}

// Held are sessions that we run, each with its run.
type Held map[sesskeep.SessionID]holder.Record

// Sessions are the sessions that we run.
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

// Of is the run that has a session of a home, and is false where none has.
func (l Living) Of(ctx context.Context, root string, id sesskeep.SessionID) (holder.Record, bool, error) {
	held, err := l.Sessions(ctx)
	r, ok := held.In(root, id)
	return r, ok, err
}

// In finds the run that has a session of a home.
func (held Held) In(root string, id sesskeep.SessionID) (holder.Record, bool) {
	r, ok := held[lower(id)]
	return r, ok && Lies(&r, root)
}

// Lies reports whether the session of a run lies in a home.
func Lies(r *holder.Record, root string) bool { return r.Root == "" || r.Root == root }

func lower(id sesskeep.SessionID) sesskeep.SessionID {
	return sesskeep.SessionID(strings.ToLower(string(id)))
}
