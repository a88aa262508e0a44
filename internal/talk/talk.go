// Package talk presents conversations to people and programs: their messages and
// blocks, the tree of a session, one conversation beside another, the files they
// changed, and documents of them.
package talk

import (
	"sync"

	"sesskeep/internal/catalog"
	"sesskeep/internal/freshness"
	"sesskeep/internal/homes"
	"sesskeep/internal/redact"
)

// Options are the dependencies of a Talk.
type Options struct {
	Homes   *homes.Set
	Index   *freshness.Index
	Catalog *catalog.Catalog
	// Redact says what is hidden in documents besides what looks like a secret.
	Redact redact.Options
}

// Talk reads conversations.
type Talk struct {
	homes   *homes.Set
	index   *freshness.Index
	catalog *catalog.Catalog
	rules   func() (*redact.Rules, error) // made when they are needed

	distrusts bool // the index about calls and lines: tests compare it with transcripts
}

// New returns a Talk. It reads nothing until it is used.
func New(o Options) *Talk {
	rules := sync.OnceValues(func() (*redact.Rules, error) { return redact.New(o.Redact) })
	return &Talk{homes: o.Homes, index: o.Index, catalog: o.Catalog, rules: rules}
}
