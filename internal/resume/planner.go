// Package resume plans how to run a client that resumes a session, and where a new run
// may work.
package resume

import (
	"time"

	"sesskeep/claudehome"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/runs"
)

// Sources are what a Planner asks.
type Sources struct {
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Living  runs.Living // the sessions that we run
	Alive   claudehome.Alive
	Now     func() time.Time
}

// Planner plans how clients are run. It starts none.
type Planner struct{ from Sources }

// New makes a Planner.
func New(from Sources) *Planner { return &Planner{from: from} }
