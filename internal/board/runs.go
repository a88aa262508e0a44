package board

import (
	"context"
	"slices"

	"sesskeep/internal/follow"
	"sesskeep/internal/holder"
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
	}
}
