package vault

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"sesskeep"
	"sesskeep/internal/disk"
)

// catalog is a file with the summaries of all boxes, so that a list of the copies need
// not read every manifest, and so that a box or the end of a manifest that is lost is
// noticed. Sweeps write it. It may be missing, out of date or damaged: then the
// manifests are read.
type catalog struct {
	path  string
	sys   disk.System
	locks locks

	once      sync.Once
	read      map[boxKey]*summary // as this process first read it; nil: it could not
	rewritten atomic.Bool         // by this process since: what is lost shows no more in read

	mu  sync.Mutex
	err error // why it could not be read
}

func newCatalog(path string, sys disk.System, locks locks) *catalog {
	return &catalog{path: path, sys: sys, locks: locks}
}

// summaries returns the summaries as this process first read them; nil if there is no
// catalogue that it can read.
func (c *catalog) summaries() map[boxKey]*summary {
	c.once.Do(c.load)
	return c.read
}

func (c *catalog) load() {
	entries, err := decodeCatalog(c.path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNewer) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.err = &sesskeep.Error{Op: "read", Name: c.path, Err: cause(err)}
		}
		return
	}
	c.read = make(map[boxKey]*summary, len(entries))
	for _, e := range entries {
		c.read[e.key()] = &summary{fileStamp{e.Size, e.Modtime, e.File}, e.Seq, e.Files}
	}
}

// unreadable returns why the catalogue could not be read; nil if it was read, or has
// not been tried yet.
func (c *catalog) unreadable() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// entries reads the catalogue from the disk. One that is not there is empty.
func (c *catalog) entries() (map[boxKey]entry, error) {
	list, err := decodeCatalog(c.path)
	known := make(map[boxKey]entry, len(list))
	for _, e := range list {
		known[e.key()] = e
	}
	return known, missing(err)
}

// change writes the catalogue again, while no other process can. One that is damaged is
// as good as none; one of a later form is left alone.
func (c *catalog) change(ctx context.Context, change func(known map[boxKey]entry) ([]entry, error)) error {
	l, err := c.locks.wait(ctx, c.path+".lock")
	if err != nil {
		return err
	}
	defer l.Release()
	known, err := c.entries()
	if err != nil && !errors.Is(err, ErrDamaged) {
		return &sesskeep.Error{Op: "read", Name: c.path, Err: err}
	}
	entries, err := change(known)
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Session, b.Session))
	})
	if err := disk.WriteFile(c.sys, c.path, encodeCatalog(entries), 0o600); err != nil {
		return err
	}
	c.rewritten.Store(true)
	return nil
}

// forget removes boxes, and files that belong to no session, from the catalogue before they
// are removed on purpose.
func (c *catalog) forget(ctx context.Context, keys []boxKey, gone func(name string) bool) error {
	if _, err := os.Lstat(c.path); err != nil {
		return missing(err)
	}
	return c.change(ctx, func(known map[boxKey]entry) (left []entry, _ error) {
		for key, e := range known {
			if slices.Contains(keys, key) {
				continue
			}
			if key == (boxKey{}) {
				e.Files = slices.DeleteFunc(e.Files, func(l listed) bool { return gone(l.Name) })
				e.Lost = slices.DeleteFunc(e.Lost, gone)
			}
			left = append(left, e)
		}
		return left, nil
	})
}

// forgetLost removes the copies from the catalogue that are lost.
func (c *catalog) forgetLost(ctx context.Context) error {
	lost := false
	entries, err := decodeCatalog(c.path)
	if err != nil {
		return missing(err)
	}
	for i := range entries {
		lost = lost || len(entries[i].Lost) > 0
	}
	if !lost {
		return nil
	}
	return c.change(ctx, func(known map[boxKey]entry) (left []entry, _ error) {
		for _, e := range known {
			if e.Lost = nil; e.Seq > 0 {
				left = append(left, e)
			}
		}
		return left, nil
	})
}
