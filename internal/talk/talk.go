// Package talk gives conversations to people and programs: their messages and blocks, the
// tree of their branches, one branch beside another, the files they changed, and documents
// of them.
package talk

import (
	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
)

// Options are what a Talk is made of.
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

// New makes a Talk. It reads nothing before it is asked.
func New(o Options) *Talk { return &Talk{homes: o.Homes, index: o.Index, catalog: o.Catalog} }
