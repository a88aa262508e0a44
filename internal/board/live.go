// Package board says what happens now: it follows sessions, lists those that clients run,
// gives events to programs, and keeps the board of sessions at work.
package board

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/jobs"
	"sesskeep/internal/runs"
	"sesskeep/internal/statusline"
)

// Options are what Live is made of.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Catalog *catalog.Catalog
	Jobs    *jobs.List
	Living  runs.Living      // the sessions that we run
	Book    *statusline.Book // what clients report to their status line
	Now     func() time.Time
}

// Live follows what happens in the homes.
type Live struct {
	opts       Options
	unreadRuns atomic.Pointer[error] // why processes may lack that we run them
}

// New makes a Live. It follows nothing before it is asked.
func New(o Options) *Live { return &Live{opts: o} }

// Unread is why the last list of processes may lack that we run some of them; nil: it
// does not.
func (lv *Live) Unread() error {
	if err := lv.unreadRuns.Load(); err != nil && !errors.Is(*err, context.Canceled) {
		return *err
	}
	return nil
}
