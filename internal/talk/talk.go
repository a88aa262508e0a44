// Package talk presents conversations to people and programs: their messages and
// blocks, the tree of a session, one conversation beside another, the files they
// changed, and documents of them.
package talk

import (
	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
)

// Options are the dependencies of a Talk.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Catalog *catalog.Catalog
}

// Talk reads conversations.
type Talk struct {
	homes   *homes.Set
	index   *freshness.Index
	catalog *catalog.Catalog
}

// New returns a Talk. It reads nothing until it is used.
func New(o Options) *Talk { return &Talk{homes: o.Homes, index: o.Index, catalog: o.Catalog} }
