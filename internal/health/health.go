// Package health looks for what is wrong: the doctor's report of homes, copies and what
// runs, checks of transcripts and of the index against them, repairs, and where the disk
// goes.
package health

import (
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/keeping"
	"sesskeep/internal/live"
	"sesskeep/internal/runs"
)

// Options are what a Checker is made of.
type Options struct {
	Roots   []string // of the homes, also of those that are not there
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Keep    *keeping.Copies
	Journal *acts.Journal // makes repairs
	Living  runs.Living   // the sessions that we run
	Live    live.Options  // how running clients are found
	Now     func() time.Time
}

// Checker looks for what is wrong, and mends it.
type Checker struct {
	opts    Options
	homes   *homes.Set
	catalog *catalog.Catalog
}

// New makes a Checker. It looks at nothing before it is asked.
func New(o Options) *Checker {
	return &Checker{opts: o, homes: o.Homes, catalog: o.Catalog}
}
