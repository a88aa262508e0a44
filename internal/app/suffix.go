package app

import (
	"context"
	"strings"

	"sesskeep/internal/homes"
	"sesskeep/internal/index"
)

// Suffixes returns what an address of one of these sessions needs at its end:
// @HOME where several homes have a session of that id, else nothing.
func (a *App) Suffixes(ctx context.Context, ids []string) (func(root, id string) string, error) {
	if len(a.Homes.List) < 2 || len(ids) == 0 {
		return func(string, string) string { return "" }, nil
	}
	var shared map[string]bool
	err := a.Index.Ask(ctx, true, func(x *index.Index) (err error) {
		shared, err = x.Shared(ctx, a.Homes.Roots(), ids)
		return err
	})
	return func(root, id string) string {
		if h := a.Homes.At(root); h != nil && shared[id] {
			return "@" + h.Is.Name
		}
		return ""
	}, err
}

// suffix is the same for one session, without the index.
func (a *App) suffix(root, id string) string {
	home := a.Homes.At(root)
	if home == nil || id == "" {
		return ""
	}
	for _, h := range a.Homes.List {
		if h == home {
			continue
		}
		if refs, err := h.Store.Sessions(strings.ToLower(id)); err == nil && len(refs) > 0 {
			return "@" + home.Is.Name
		}
	}
	return ""
}

// InHome takes @HOME[.MACHINE] off the end of an address, and returns the roots of
// the homes that it names: all of them if it names none.
func (a *App) InHome(address string) (rest string, in []string) {
	l, rest := a.lookup(address)
	return rest, homes.Roots(l.homes)
}
