package catalog

import (
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/errcode"
)

// Lineage calls try with a session, then with the one that it was forked from, and
// so on, until try finds what it looks for. A fork has the lines of the session it
// is of, but the agents and the outputs that were saved beside that stay there.
func (c *Catalog) Lineage(ctx context.Context, t Target, try func(Target) error) error {
	err := try(t)
	seen := map[string]bool{t.Ref.File: true}
	for first := err; errcode.Of(err) == errcode.NotFound; err = try(t) {
		origin, known := c.origin(ctx, t)
		if !known || seen[origin.Ref.File] {
			return first
		}
		t, seen[origin.Ref.File] = origin, true
	}
	return err
}

// origin is the session that another one was forked from, if that is known.
func (c *Catalog) origin(ctx context.Context, t Target) (Target, bool) {
	row := func(id string) (Session, bool) {
		page, err := c.List(ctx, ask.Filter{ID: id, In: t.Store.Root(), Source: "all", Archived: ask.ArchivedToo, Limit: 1, Uncounted: true})
		if err != nil || len(page.Sessions) == 0 {
			return Session{}, false
		}
		return page.Sessions[0], page.Sessions[0].ID == id
	}
	fork, known := row(string(t.Ref.Session))
	if !known || fork.ForkedFrom == "" {
		return Target{}, false
	}
	from, known := row(fork.ForkedFrom)
	if !known {
		return Target{}, false
	}
	origin, err := c.TargetOf(&from)
	return origin, err == nil
}
