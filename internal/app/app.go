// Package app joins what the engines know into what the fronts show: lists,
// counts, addresses. Fronts decode, call app and encode; they decide nothing.
//
// An App reads one or several homes. Its Catalog is every transcript of them as
// a Row; every list and every count is a Filter over those rows, so that two
// numbers shown to a user can never disagree.
package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"

	"sesskeep"
)

// Options say which homes to read and how.
type Options struct {
	Roots   []string
	Workers int // files read at the same time; 0: one a processor
	// Progress is told how far a long reading is. It may be nil, and is called
	// from several goroutines, one at a time.
	Progress func(done, total int, bytes int64)
}

// App answers questions about the homes it was opened on.
type App struct {
	opts  Options
	homes []*home

	load    sync.Mutex
	catalog *Catalog
}

// home is one opened root.
type home struct {
	*sesskeep.Store
	hints []string // project paths known from .claude.json
}

// Open opens the homes. One that is not there is left out as long as another is.
func Open(o Options) (*App, error) {
	a := &App{opts: o}
	var missing error
	for _, root := range o.Roots {
		store, err := sesskeep.Open(root)
		if errors.Is(err, fs.ErrNotExist) {
			missing = err
			continue
		}
		if err != nil {
			return nil, err
		}
		a.homes = append(a.homes, &home{store, knownPaths(root)})
	}
	if len(a.homes) == 0 {
		return nil, missing
	}
	return a, nil
}

// knownPaths reads the project paths in .claude.json. It is only a hint, so
// what cannot be read does not matter.
func knownPaths(root string) []string {
	var paths []string
	for _, file := range sesskeep.StateFiles(root) {
		if data, err := os.ReadFile(file); err == nil {
			paths = append(paths, sesskeep.ProjectPaths(data)...)
		}
	}
	return paths
}

// Stores are the opened homes.
func (a *App) Stores() []*sesskeep.Store {
	stores := make([]*sesskeep.Store, len(a.homes))
	for i, h := range a.homes {
		stores[i] = h.Store
	}
	return stores
}

// Catalog reads all transcripts, once.
func (a *App) Catalog(ctx context.Context) (*Catalog, error) {
	a.load.Lock()
	defer a.load.Unlock()
	if a.catalog == nil {
		c, err := a.read(ctx)
		if err != nil {
			return nil, err
		}
		a.catalog = c
	}
	return a.catalog, nil
}
