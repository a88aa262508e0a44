// Package manage changes sessions: it archives, renames, tags and trashes them, and cleans
// up. One act may be on many sessions; each has its result, and one that fails stops none
// of the others.
package manage

import (
	"time"

	"sesskeep/claudehome"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/keeping"
	"sesskeep/internal/label"
	"sesskeep/internal/liveness"
	"sesskeep/internal/shelf"
	"sesskeep/internal/trash"
)

// Options are what a Manager is made of.
type Options struct {
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Keep    *keeping.Copies
	Journal *acts.Journal // makes the changes
	Labels  *label.Store  // what users added to sessions; nil: nothing
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
	catalog *catalog.Catalog
	find    finder
}

// New makes a Manager.
func New(o Options) *Manager {
	return &Manager{
		opts: o, journal: o.Journal, shelf: o.Journal.Shelf, trash: o.Trash, live: o.Live, homes: o.Homes, catalog: o.Catalog,
		find: finder{homes: o.Homes, catalog: o.Catalog, labels: o.Labels, now: o.Now},
	}
}
