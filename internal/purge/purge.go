// Package purge removes sessions, or a whole project, for good: from Claude's home, from the
// copies, and from every store of our own. It cannot be undone.
//
// A purge is planned first: [Purger.Project] and [Purger.Sessions] count what there is. Without
// DryRun they then remove it in this order:
//
//  1. A tombstone records what has to be removed.
//  2. One act of the shelf removes the files of the home, the lines and entries in files that
//     stay, what lies in the trash, the labels, and the contents of its lines in the journal.
//  3. The copies are removed, and what our other stores have: see [Store].
//  4. The file of the index is shrunk.
//  5. The tombstone is removed.
//
// Each step can be repeated, so [Purger.Finish] finishes a purge that a crash interrupted.
// While a store cannot be reached, the tombstone stays, without the names of projects.
package purge

import (
	"context"
	"time"

	"sesskeep/claudehome"
	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/liveness"
	"sesskeep/internal/mention"
	"sesskeep/internal/traces"
	"sesskeep/internal/trash"
)

// Store is a store of our own that says something about sessions; the shelf and the copies are
// not among them.
type Store struct {
	Name string // what the plan calls its contents
	// Count counts its entries that mention what is purged; nil: they are not counted.
	Count func(ctx context.Context, of *mention.Finder) (int, error)
	// Forget removes these entries. It may be called repeatedly.
	Forget func(ctx context.Context, of *mention.Finder) error
	// Last is true for a store that is made from the others: it is purged after them.
	Last bool
	// Copies is true for a second place that copies are synced to: it is purged after the copies.
	Copies bool
}

// Options say what a Purger works with.
type Options struct {
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Journal *acts.Journal
	Trash   *trash.Trash
	Live    *liveness.Checker
	Alive   claudehome.Alive
	Stores  []Store
	// Fresh waits until the index is up to date with the homes.
	Fresh func(ctx context.Context) error
	Data  string // our data directory, which has the tombstones
	Now   func() time.Time
}

// Purger purges sessions and projects.
type Purger struct{ Options }

// New makes a Purger.
func New(o Options) *Purger { return &Purger{o} }

// The verbs of purges, as the journal calls them.
const (
	ProjectVerb = "project purge"
	SessionVerb = "session purge"
)

// Purged is what a purge removed from one home, or would remove.
type Purged struct {
	Root     string         `json:"root"`                  // directory of the home
	Project  string         `json:"projectPath,omitempty"` // working directory of the project
	Sessions int            `json:"sessionCount"`          // sessions
	Agents   int            `json:"agentCount"`            // agents of them
	Counts   []traces.Count `json:"counts"`                // what there is, by kind
	Cost     float64        `json:"cost,omitempty"`        // what they cost in USD: it leaves the usage too
	Acts     int            `json:"actCount"`              // changes that cannot be undone any more
	Forks    []Fork         `json:"forks"`                 // sessions that stay and repeat lines of these
	Exports  int            `json:"exportCount"`           // exports of them that were noted: where they are is not known
	Stay     []string       `json:"stay"`                  // files that mention the sessions and are not changed
	Notes    []string       `json:"notes"`                 // remarks for people
	Act      int            `json:"actId,omitempty"`       // number of the act
	DryRun   bool           `json:"dryRun"`                // true if nothing was changed
	Away     []string       `json:"away"`                  // what could not be reached, and is purged when it is

	scope scope
}

// Fork is a session that starts with a copy of lines of one that is purged.
type Fork struct {
	ID          string `json:"id"`                    // of the session
	Title       string `json:"title,omitempty"`       // title of the session
	ProjectPath string `json:"projectPath,omitempty"` // working directory of the session
	Of          string `json:"forkedFrom"`            // the session whose lines it repeats
}
