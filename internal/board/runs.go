package board

import (
	"context"
	"slices"

	"sesskeep/internal/follow"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
	"sesskeep/internal/live"
	"sesskeep/internal/runs"
)

// markRuns marks the sessions that we run.
func (lv *Live) markRuns(ctx context.Context, page follow.ProcessPage) {
	store, ok := lv.opts.Living.Store()
	if !ok || len(page.Sessions) == 0 {
		return
	}
	living, err := store.Living(ctx)
	lv.unreadRuns.Store(&err) // the list is there all the same
	for i := range page.Sessions {
		p := &page.Sessions[i]
		at := slices.IndexFunc(living, func(r holder.Record) bool {
			return !r.Foreign && r.SessionID == string(p.Session) && runs.InHome(&r, p.Root)
		})
		if at < 0 {
			continue
		}
		p.Run = living[at].ID
		if waitsForUser(&living[at], p.State.Word) {
			p.State.Word, p.State.Why = live.YourTurn, waitsWords(&living[at])
		}
	}
	slices.SortStableFunc(page.Sessions, func(a, b follow.Process) int {
		return slices.Index(live.Words, a.State.Word) - slices.Index(live.Words, b.State.Word)
	})
}

// waitsForUser reports whether a session that seems to be left to a program waits for
// its user: the program is ours.
func waitsForUser(r *holder.Record, seems live.Word) bool {
	return r.State == launch.YourTurn && seems == live.Idle
}

func waitsWords(r *holder.Record) string { return "run " + r.ID + " waits for a message" }
