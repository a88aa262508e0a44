// Package transfer makes sessions of others: of one branch of a conversation, and of
// bundles, which it writes too.
package transfer

import (
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/manage"
)

// Options are what a Transfer is made of.
type Options struct {
	Homes   *homes.Set
	Catalog *catalog.Catalog
	Manage  *manage.Manager
	Now     func() time.Time
}

// Transfer makes sessions of others.
type Transfer struct{ opts Options }

// New makes a Transfer.
func New(o Options) *Transfer { return &Transfer{opts: o} }
