package app

import (
	"context"
	"slices"

	"sesskeep"
	"sesskeep/internal/follow"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/live"
	"sesskeep/internal/runs"
)

// runStore has the runs of this user, and is false where there is no place for any.
func (a *App) runStore() (holder.Store, bool) {
	return holder.Store{Dir: runs.Dir(a.opts.Data), Now: a.opts.Now}, a.opts.Data != ""
}

// markRuns tells which of the sessions we run.
func (a *App) markRuns(ctx context.Context, page follow.ProcessPage) {
	store, ok := a.runStore()
	if !ok || len(page.Sessions) == 0 {
		return
	}
	runs, err := store.Living(ctx)
	a.unreadRuns.Store(&err) // the list is there all the same
	for i := range page.Sessions {
		p := &page.Sessions[i]
		at := slices.IndexFunc(runs, func(r holder.Record) bool { return !r.Foreign && r.SessionID == string(p.Session) && runIn(&r, p.Root) })
		if at < 0 {
			continue
		}
		p.Run = runs[at].ID
		if waitsForUser(&runs[at], p.State.Word) {
			p.State.Word, p.State.Why = live.YourTurn, waitsWords(&runs[at])
		}
	}
	slices.SortStableFunc(page.Sessions, func(a, b follow.Process) int {
		return slices.Index(live.Words, a.State.Word) - slices.Index(live.Words, b.State.Word)
	})
}

// heldRuns are the sessions that we run, each with the name of its run. Nothing else
// tells of them where their clients do not register.
func (a *App) heldRuns(ctx context.Context) (map[sesskeep.SessionID]holder.Record, error) {
	store, ok := a.runStore()
	if !ok {
		return nil, nil
	}
	runs, err := store.Living(ctx)
	held := map[sesskeep.SessionID]holder.Record{}
	for _, r := range runs {
		if !r.Foreign {
			held[lower(r.SessionID)] = r
		}
	}
	return held, err
}

// heldRun is the run that has a session of a home, and is false where none has.
func (a *App) heldRun(ctx context.Context, root string, id sesskeep.SessionID) (holder.Record, bool, error) {
	held, err := a.heldRuns(ctx)
	r, ok := held[lower(string(id))]
	return r, ok && runIn(&r, root), err
}

// runIn reports whether the session of a run lies in a home.
func runIn(r *holder.Record, root string) bool { return r.Root == "" || r.Root == root }

// waitsForUser reports whether a session that seems to be left to a program waits for
// its user: the program is ours.
func waitsForUser(r *holder.Record, seems live.Word) bool {
	return r.State == launch.YourTurn && seems == live.Idle
}

func waitsWords(r *holder.Record) string { return "run " + r.ID + " waits for a message" }
