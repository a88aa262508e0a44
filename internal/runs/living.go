package runs

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/live"
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

// Held returns what the holders of our runs say of their sessions. What cannot be read is left
// out: lists of runs say so.
func (l Living) Held(ctx context.Context) []live.Run {
	store, ok := l.Store()
	if !ok {
		return nil
	}
	list, _ := store.Living(ctx)
	return liveRuns(list)
}

// Follow calls give with what Held returns whenever that changed, until ctx ends.
func (l Living) Follow(ctx context.Context, give func([]live.Run)) {
	store, ok := l.Store()
	if !ok {
		return
	}
	known := map[string]holder.Record{}
	r := &Runs{store: store}
	for ctx.Err() == nil {
		_ = r.Watch(ctx, func(n News) error {
			for i := range n.Runs {
				known[n.Runs[i].ID] = n.Runs[i]
			}
			for _, id := range n.Gone {
				delete(known, id)
			}
			give(liveRuns(slices.Collect(maps.Values(known))))
			return nil
		})
		select { // what failed may be over by then
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// History returns when our runs started and ended, as the log of what happened to sessions has it.
// What cannot be read is left out, and is in the error.
func (l Living) History(ctx context.Context) (records []live.Record, err error) {
	store, ok := l.Store()
	if !ok {
		return nil, nil
	}
	list, err := store.List(ctx)
	for _, r := range slices.Backward(list) {
		if r.Foreign || r.SessionID == "" {
			continue
		}
		one := live.Record{Time: r.CreatedAt.Time, Root: r.Root, Session: lower(sesskeep.SessionID(r.SessionID)), Kind: live.Appeared, State: live.Working, Why: "run " + r.ID + " started"}
		records = append(records, one)
		if r.Living() {
			continue
		}
		end := one
		end.Time, end.Kind, end.Was, end.State = r.Since.Time, live.Changed, "", live.Ended
		if end.Why = "run " + r.ID + " ended"; r.State == launch.Unclean {
			end.State, end.Why = live.Unclean, "the holder of run "+r.ID+" went away: how it ended is missing"
		}
		records = append(records, end)
	}
	return records, err
}

// liveRuns returns what the records of runs that live say of their sessions.
func liveRuns(list []holder.Record) (out []live.Run) {
	for i := range list {
		r := &list[i]
		if !r.Living() || r.Foreign || r.SessionID == "" {
			continue
		}
		one := live.Run{
			ID: r.ID, Root: r.Root, Session: lower(sesskeep.SessionID(r.SessionID)), Dir: r.Dir,
			Word: liveWord(r.State), Since: r.Since.Time, Why: cmp.Or(r.Why, "so says run "+r.ID),
		}
		if len(r.Prompts) > 0 {
			p := &r.Prompts[0]
			one.Tool, one.Subject = p.Tool, sesskeep.OpenCall{Tool: p.Tool, Input: string(p.Input)}.Text()
			one.Waiting = strings.TrimSpace(string(p.Kind) + ": " + strings.TrimSpace(p.Tool+" "+one.Subject))
		}
		out = append(out, one)
	}
	return out
}

// liveWord is the state of a session by that of its run. Until the client took the first
// message the run works on it.
func liveWord(s launch.State) live.Word {
	switch s {
	case launch.NeedsYou:
		return live.NeedsYou
	case launch.YourTurn:
		return live.YourTurn
	}
	return live.Working
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
