// Package transfer makes sessions of others: of one branch of a conversation, and of
// bundles, which it writes too.
package transfer

import (
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
)

// Options are what a Transfer is made of.
type Options struct {
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Journal *acts.Journal
	Now     func() time.Time
}

// Transfer makes sessions of others.
type Transfer struct{ opts Options }

// New makes a Transfer.
func New(o Options) *Transfer { return &Transfer{opts: o} }
