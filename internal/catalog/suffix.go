package catalog

import (
	"context"
	"strings"

	"sesskeep/internal/homes"
	"sesskeep/internal/index"
)

// Suffixes returns what an address of one of these sessions needs at its end:
// @HOME where several homes have a session of that id, else nothing.
func (c *Catalog) Suffixes(ctx context.Context, ids []string) (func(root, id string) string, error) {
	if len(c.homes.List) < 2 || len(ids) == 0 {
		return func(string, string) string { return "" }, nil
	}
	var shared map[string]bool
	err := c.index.Ask(ctx, true, func(x *index.Index) (err error) {
		shared, err = x.Shared(ctx, c.homes.Roots(), ids)
		return err
	})
	return func(root, id string) string {
		if h := c.homes.At(root); h != nil && shared[id] {
			return "@" + h.Is.Name
		}
		return ""
	}, err
}

// Suffix is the same for one session, without the index.
func (c *Catalog) Suffix(root, id string) string {
	home := c.homes.At(root)
	if home == nil || id == "" {
		return ""
	}
	for _, h := range c.homes.List {
		if h == home {
			continue
		}
		if refs, err := h.Store.Find(strings.ToLower(id)); err == nil && len(refs) > 0 {
			return "@" + home.Is.Name
		}
	}
	return ""
}

// InHome takes @HOME[.MACHINE] off the end of an address, and returns the roots of
// the homes that it names: all of them if it names none.
func (c *Catalog) InHome(address string) (rest string, in []string) {
	l, rest := c.Lookup(address)
	return rest, homes.Roots(l.homes)
}
