// Package manage changes sessions: it archives, renames, tags, trashes and removes them,
// makes sessions of branches and bundles, follows projects that moved, cleans up, and
// takes back what was changed. One act may be on many sessions; each has its result, and
// one that fails stops none of the others.
package manage

import (
	"time"

	"sesskeep/claudehome"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/keeping"
	"sesskeep/internal/liveness"
	"sesskeep/internal/shelf"
	"sesskeep/internal/trash"
)

// Options are what a Manager is made of.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Catalog *catalog.Catalog
	Keep    *keeping.Copies
	Journal *acts.Journal // makes the changes
	Trash   *trash.Trash
	Live    *liveness.Checker
	Alive   claudehome.Alive
	Now     func() time.Time
}

// Manager changes sessions.
type Manager struct {
	opts    Options
	journal *acts.Journal
	shelf   *shelf.Shelf // of the journal; nil: nothing can be changed
	trash   *trash.Trash
	live    *liveness.Checker
	homes   *homes.Set
	index   *freshness.Index
	catalog *catalog.Catalog
}

// New makes a Manager.
func New(o Options) *Manager {
	return &Manager{opts: o, journal: o.Journal, shelf: o.Journal.Shelf, trash: o.Trash, live: o.Live, homes: o.Homes, index: o.Index, catalog: o.Catalog}
}
