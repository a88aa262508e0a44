package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"sync"

	"sesskeep"
)

// Catalog is everything the transcripts of all homes tell.
type Catalog struct {
	Rows     []Row // newest first
	Projects []Project
	Problems []Problem
	Unknown  []sesskeep.Unfamiliar
	Files    int
	Bytes    int64
}

// Problem is damage in one of the homes.
type Problem struct {
	Root string `json:"root"`
	sesskeep.Problem
}

// item is a transcript on its way to a Row.
type item struct {
	home  *home
	ref   sesskeep.Ref
	row   Row
	facts facts
	cwds  []string
	gone  bool
}

// read lists all homes, reads every transcript and joins what belongs together.
func (a *App) read(ctx context.Context) (*Catalog, error) {
	c := &Catalog{}
	var items []item
	var folders []folder
	for _, h := range a.homes {
		list, err := h.Folders()
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			folders = append(folders, folder{home: h, Folder: f, from: len(items)})
			for _, ref := range f.Refs {
				items = append(items, item{home: h, ref: ref})
			}
			for _, p := range f.Problems {
				c.Problems = append(c.Problems, Problem{h.Root(), p})
			}
		}
	}
	if err := a.digest(ctx, items, c); err != nil {
		return nil, err
	}
	c.join(items, folders)
	return c, nil
}

// digest folds the files, several at a time. The largest come first: one of
// them left for the end would keep the others waiting.
func (a *App) digest(ctx context.Context, items []item, c *Catalog) error {
	order := make([]*item, len(items))
	for i := range items {
		order[i] = &items[i]
	}
	slices.SortStableFunc(order, func(x, y *item) int { return cmp.Compare(y.ref.Size, x.ref.Size) })

	workers := a.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		next int
		done int
	)
	for range min(workers, len(order)) {
		wg.Go(func() {
			var d sesskeep.Digest
			for ctx.Err() == nil {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(order) {
					return
				}
				found := order[i].digest(&d)
				mu.Lock()
				done++
				c.take(order[i], found)
				if a.opts.Progress != nil {
					a.opts.Progress(done, len(order), c.Bytes)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// finding is what a digest tells beyond its row.
type finding struct {
	problems []sesskeep.Problem
	unknown  []sesskeep.Unfamiliar
}

// digest reads one file into d, whose chain is large and serves the next one.
func (it *item) digest(d *sesskeep.Digest) finding {
	err := it.home.Fold(it.ref.File, d)
	if errors.Is(err, sesskeep.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		it.gone = true // deleted while we were reading
		return finding{}
	}
	if err != nil {
		d.Report(sesskeep.Problem{File: it.ref.File, Reason: errors.Unwrap(err).Error(), Lost: true})
	}
	tree := d.Tree()
	it.row = makeRow(it.home, it.ref, d, tree)
	it.facts = makeFacts(d, tree)
	it.row.Title = d.Title(tree, nil)
	it.cwds = d.Cwds
	return finding{d.Problems, d.Unknown}
}

// take adds a finding to the catalog.
func (c *Catalog) take(it *item, f finding) {
	c.Files++
	c.Bytes += it.ref.Size
	for _, p := range f.problems {
		c.Problems = append(c.Problems, Problem{it.home.Root(), p})
	}
	for _, u := range f.unknown {
		c.meet(u)
	}
}

func (c *Catalog) meet(u sesskeep.Unfamiliar) {
	for i := range c.Unknown {
		if o := &c.Unknown[i]; o.Version == u.Version && o.What == u.What && o.Name == u.Name {
			o.Count += u.Count
			return
		}
	}
	c.Unknown = append(c.Unknown, u)
}
