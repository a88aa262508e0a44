package manage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/errcode"
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
// were asked for. An address that leads to none is an item with an error.
func (fd *finder) selected(ctx context.Context, s Selection) ([]*item, error) {
	var items []*item
	for _, address := range s.Addresses {
		items = append(items, fd.itemAt(ctx, address))
	}
	if s.Filter != nil {
		found, err := fd.matching(ctx, s)
		if err != nil {
			return nil, err
		}
		items = append(items, found...)
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
	return items, fd.describe(ctx, items)
}

func (i *item) key() sesskeep.Key { return i.home.Key(i.id) }

// itemAt is the session at an address. Acts take whole sessions.
func (fd *finder) itemAt(ctx context.Context, address string) *item {
	i := &item{address: address}
	t, err := fd.catalog.Find(ctx, address)
	switch {
	case err != nil:
		i.err = err
	case t.Ref.Agent != "" || t.Inline != "":
		i.err = fmt.Errorf("%w: %s", errcode.ErrAgent, t.Store.Parent(t.Ref))
	case t.Leaf != "" || t.Message != "":
		i.err = errcode.New(errcode.Invalid, fmt.Errorf("%s names a part of a session: this takes whole sessions", address))
	default:
		i.home, i.id = fd.homes.At(t.Store.Root()), t.Ref.Session
	}
	return i
}

// matching are the sessions that a filter and a query find.
func (fd *finder) matching(ctx context.Context, s Selection) ([]*item, error) {
	f := *s.Filter
	f.Limit, f.Offset, f.Cursor, f.Now = 0, 0, "", fd.now()
	catalog.Demand(&f, s.Query)
	c, err := fd.catalog.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	page, err := c.List(ctx, f)
	return fd.itemsOf(page.Sessions), err
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
