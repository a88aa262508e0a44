package manage

import (
	"context"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/homes"
	"sesskeep/internal/label"
	"sesskeep/internal/query"
)

// Selection says which sessions an act is about: those at addresses, and those
// that match a filter and a query.
type Selection struct {
	Addresses []string
	Filter    *ask.Filter // nil: only the addresses
	// Query is in the search language. It chooses the sessions that a list of it shows.
	Query query.Q
}

// item is one session that an act is about, or why it cannot be.
type item struct {
	address string // as it was asked for
	home    *homes.Home
	id      sesskeep.SessionID
	row     catalog.Session
	label   label.Label
	err     error
}

// finder finds the sessions that an act is about.
type finder struct {
	homes   *homes.Set
	catalog *catalog.Catalog
	labels  *label.Store // nil: nothing was added to sessions
	now     func() time.Time
}

// selected finds the sessions of a selection, each once, in the order in which they
// were asked for. An address that leads to none is an item with an error. Where a filter
// chose, it returns from how much.
func (fd *finder) selected(ctx context.Context, s Selection) (items []*item, covered *ask.Coverage, err error) {
	if items, err = fd.itemsAt(ctx, s.Addresses); err != nil {
		return nil, nil, err
	}
	if s.Filter != nil {
		found, coverage, err := fd.matching(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		items, covered = append(items, found...), &coverage
	}
	seen := map[sesskeep.Key]bool{}
	items = slices.DeleteFunc(items, func(i *item) bool {
		if i.err != nil {
			return false
		}
		again := seen[i.key()]
		seen[i.key()] = true
		return again
	})
	return items, covered, fd.describe(ctx, items)
}

func (i *item) key() sesskeep.Key { return i.home.Key(i.id) }

// itemsAt are the sessions at addresses. The index finds most of them at once: to find one on
// the disk takes a look into every directory.
func (fd *finder) itemsAt(ctx context.Context, addresses []string) ([]*item, error) {
	named, err := fd.catalog.Named(ctx, addresses)
	if err != nil {
		return nil, err
	}
	items := make([]*item, len(addresses))
	for n, address := range addresses {
		if t, ok := named[address]; ok {
			items[n] = &item{address: address, home: fd.homes.At(t.Store.Root()), id: t.Ref.Session}
		} else {
			items[n] = fd.itemAt(ctx, address)
		}
	}
	return items, nil
}

// itemAt is the session at an address. Acts take whole sessions.
func (fd *finder) itemAt(ctx context.Context, address string) *item {
	i := &item{address: address}
	t, err := fd.catalog.Find(ctx, address)
	if err == nil {
		i.id, err = t.Session(address)
	}
	if i.err = err; err == nil {
		i.home = fd.homes.At(t.Store.Root())
	}
	return i
}

// matching are the sessions that a filter and a query find, and from how much.
func (fd *finder) matching(ctx context.Context, s Selection) ([]*item, ask.Coverage, error) {
	f := *s.Filter
	f.Limit, f.Offset, f.Cursor, f.Now = 0, 0, "", fd.now()
	catalog.Demand(&f, s.Query)
	c, err := fd.catalog.Snapshot(ctx)
	if err != nil {
		return nil, ask.Coverage{}, err
	}
	page, err := c.List(ctx, f)
	return fd.itemsOf(page.Sessions), page.Coverage, err
}

// itemsOf are the sessions of rows. Of agents only those count whose session is
// gone: the others go with theirs.
func (fd *finder) itemsOf(rows []catalog.Session) []*item {
	var items []*item
	for n := range rows {
		r := &rows[n]
		i := &item{home: fd.homes.At(r.Root), id: sesskeep.SessionID(r.ID)}
		if r.IsAgent {
			i.id = sesskeep.SessionID(r.ParentSessionID)
			if i.home == nil || !sesskeep.IsUUID(r.ParentSessionID) {
				continue
			}
			if refs, err := i.home.Store.Find(r.ParentSessionID); err != nil || len(refs) > 0 {
				continue
			}
		}
		if i.home != nil {
			items = append(items, i)
		}
	}
	return items
}

// describe adds to items what is known of them.
func (fd *finder) describe(ctx context.Context, items []*item) error {
	ids := []string{}
	for _, i := range items {
		if i.err == nil {
			ids = append(ids, string(i.id))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	c, err := fd.catalog.Snapshot(ctx)
	if err != nil {
		return err
	}
	page, err := c.List(ctx, ask.Filter{Sessions: ids, Source: "all"})
	if err != nil {
		return err
	}
	rows := map[sesskeep.Key]*catalog.Session{}
	for n := range page.Sessions {
		r := &page.Sessions[n]
		if rows[r.Key] == nil {
			rows[r.Key] = r
		}
	}
	var labels map[sesskeep.Key]label.Label
	if fd.labels != nil {
		if labels, err = fd.labels.All(ctx); err != nil {
			return err
		}
	}
	for _, i := range items {
		if i.err != nil {
			continue
		}
		i.label = labels[i.key()]
		if r := rows[i.key()]; r != nil {
			i.row = *r
		}
	}
	return nil
}
