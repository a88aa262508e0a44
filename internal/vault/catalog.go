package vault

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sesskeep"
	"sesskeep/internal/disk"
)

// The catalogue is a file with the summaries of all boxes: so that to list what is
// gone not every manifest has to be read, and so that it is noticed when a box or the
// end of a manifest is not there any more. It is written by sweeps, and may be
// missing, old or damaged: then the manifests are read.

func (h *Home) readCatalog() {
	entries, err := decodeCatalog(h.layout.catalog())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNewer) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.uncatalogued = &sesskeep.Error{Op: "read", Name: h.layout.catalog(), Err: cause(err)}
		}
		return
	}
	h.catalog = make(map[boxKey]*summary, len(entries))
	for _, e := range entries {
		h.catalog[e.key()] = &summary{fileStamp{e.Size, e.Modtime, e.File}, e.Seq, e.Files}
	}
}

// writeCatalog writes the summaries of all boxes. What the catalogue knew of and is
// not there any more stays in it as lost.
func (h *Home) writeCatalog(ctx context.Context, keys []boxKey) error {
	return h.changeCatalog(ctx, func(known map[boxKey]entry) ([]entry, error) {
		var entries []entry
		for _, key := range keys {
			was := known[key]
			delete(known, key)
			e, err := h.catalogued(key, was)
			if err != nil {
				return nil, err
			}
			if e.Seq > 0 || len(e.Lost) > 0 {
				entries = append(entries, e)
			}
		}
		for key, was := range known {
			e, err := h.catalogued(key, was)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		return entries, nil
	})
}

// catalogued is the entry of a box, of which the catalogue knew what it was.
func (h *Home) catalogued(key boxKey, was entry) (entry, error) {
	b, err := h.box(key)
	if errors.Is(err, ErrNewer) {
		return was, nil
	}
	if err != nil {
		return entry{}, err
	}
	s := b.summary()
	return entry{key.dir, key.session, s.stamp.size, s.stamp.modtime, s.stamp.file, s.seq, s.files, b.lost(was)}, nil
}

// forget takes boxes, and files that belong to no session, out of the catalogue,
// before they are removed on purpose.
func (h *Home) forget(ctx context.Context, keys []boxKey, slugs []string) error {
	if _, err := os.Lstat(h.layout.catalog()); err != nil {
		return missing(err)
	}
	return h.changeCatalog(ctx, func(known map[boxKey]entry) (left []entry, _ error) {
		for key, e := range known {
			if slices.Contains(keys, key) {
				continue
			}
			if key == (boxKey{}) {
				e.Files = slices.DeleteFunc(e.Files, func(l listed) bool { return planOf(l.Name, slugs) })
				e.Lost = slices.DeleteFunc(e.Lost, func(name string) bool { return planOf(name, slugs) })
			}
			left = append(left, e)
		}
		return left, nil
	})
}

// changeCatalog writes the catalogue again, while no other process can. One that is
// damaged is as good as none; one of a later form is left alone.
func (h *Home) changeCatalog(ctx context.Context, change func(known map[boxKey]entry) ([]entry, error)) error {
	l, err := h.locks.wait(ctx, filepath.Join(h.layout.dir, "catalog.lock"))
	if err != nil {
		return err
	}
	defer l.Release()
	was, err := decodeCatalog(h.layout.catalog())
	if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
		return &sesskeep.Error{Op: "read", Name: h.layout.catalog(), Err: err}
	}
	known := make(map[boxKey]entry, len(was))
	for _, e := range was {
		known[e.key()] = e
	}
	entries, err := change(known)
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Session, b.Session))
	})
	if err := disk.WriteFile(h.vault.o.Disk, h.layout.catalog(), encodeCatalog(entries), 0o600); err != nil {
		return err
	}
	h.swept.Store(true)
	return nil
}

// Forgive takes out of the catalogue what is lost: nothing can be done about it.
func (h *Home) Forgive(ctx context.Context) error {
	lost := false
	entries, err := decodeCatalog(h.layout.catalog())
	if err != nil {
		return missing(err)
	}
	for i := range entries {
		lost = lost || len(entries[i].Lost) > 0
	}
	if !lost {
		return nil
	}
	return h.changeCatalog(ctx, func(known map[boxKey]entry) (left []entry, _ error) {
		for _, e := range known {
			if e.Lost = nil; e.Seq > 0 {
				left = append(left, e)
			}
		}
		return left, nil
	})
}

// known is what the catalogue knows of the boxes.
func (h *Home) known() (map[boxKey]entry, error) {
	entries, err := decodeCatalog(h.layout.catalog())
	known := make(map[boxKey]entry, len(entries))
	for _, e := range entries {
		known[e.key()] = e
	}
	return known, missing(err)
}
