// Package health finds what is wrong: the doctor's report on homes, copies and running
// clients, checks of transcripts and of the index against them, repairs, and disk
// usage.
package health

import (
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/keeping"
	"sesskeep/internal/live"
	"sesskeep/internal/runs"
	"sesskeep/internal/secrets"
)

// Options are the dependencies of a Checker.
type Options struct {
	Roots   []string // of the homes, also of missing ones
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Keep    *keeping.Copies
	Journal *acts.Journal // makes repairs
	Living  runs.Living   // the sessions that we run
	Live    live.Options  // how running clients are found
	Now     func() time.Time
	Secrets secrets.Options // what a scan finds
}

// Checker finds what is wrong, and repairs it.
type Checker struct {
	opts    Options
	homes   *homes.Set
	catalog *catalog.Catalog
}

// New returns a Checker. It reads nothing until it is used.
func New(o Options) *Checker {
	return &Checker{opts: o, homes: o.Homes, catalog: o.Catalog}
}
