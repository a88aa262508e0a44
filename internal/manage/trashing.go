package manage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/shelf"
	"sesskeep/internal/trash"
)

// Trash moves whole families to the trash: all of one or nothing of it, whatever
// happens. Without Force a session that is in use is [errcode.Held].
func (mg *Manager) Trash(ctx context.Context, d acts.Doing, s Selection) (acts.Outcome, error) {
	busy := mg.live.Sessions()
	out, err := mg.each(ctx, d, "trash", s, func(ctx context.Context, i *item, r *acts.Result) (string, shelf.Steps, error) {
		if !d.Force {
			if err := busy.Check(ctx, i.home, i.id); err != nil {
				return "", nil, &sesskeep.Error{Op: "trash", Name: string(i.id), Err: err}
			}
		}
		steps, err := mg.trashSteps(ctx, d, i, r)
		return "", steps, err
	})
	if mg.shelf != nil && !d.DryRun {
		mg.shelf.Prune() // of what failed
	}
	return out, err
}

// trashSteps are those that move a family to the trash.
func (mg *Manager) trashSteps(ctx context.Context, d acts.Doing, i *item, r *acts.Result) (shelf.Steps, error) {
	store := i.home.Disk()
	if store == nil {
		return nil, catalog.CopyOnly(catalog.Target{Ref: i.row.Ref})
	}
	f, err := mg.familyToMove(ctx, i, store)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return nil, catalog.CopyOnly(catalog.Target{Ref: sesskeep.Ref{Session: i.id}})
	}
	if err != nil {
		return nil, err
	}
	t := trash.Trashed{
		ID: string(i.id), Key: i.key(), Root: i.home.Store.Root(), Title: r.Title, Slug: i.row.Slug, ProjectPath: i.row.ProjectPath,
		Actor: d.Actor, Agents: len(f.Agents), Units: acts.Units(i.id, f.Files()),
	}
	for _, file := range f.Files() {
		info, err := store.Files().Info(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.AddMember(file, info)
	}
	r.Agents, r.Files, r.Size = t.Agents, t.Files, t.Size
	return mg.trash.MoveOut(t)
}

// familyToMove finds what goes with a session. Its plans stay if another session
// goes by the same name. Only what is on disk can be moved.
func (mg *Manager) familyToMove(ctx context.Context, i *item, store *sesskeep.Store) (sesskeep.Family, error) {
	// Which plans belong to a session is known only from its lines.
	for _, unread := range i.home.Store.Files().Unread() {
		if unread.Path == i.home.Store.Path(i.row.Ref.File) {
			return sesskeep.Family{}, fmt.Errorf("%w: %w", sesskeep.ErrIncomplete, unread)
		}
	}
	var slugs []string
	if i.row.Slug != "" {
		c, err := mg.catalog.Snapshot(ctx)
		if err != nil {
			return sesskeep.Family{}, err
		}
		page, err := c.List(ctx, ask.Filter{Slug: i.row.Slug, In: i.home.Store.Root(), Source: "all"})
		if err != nil {
			return sesskeep.Family{}, err
		}
		if !slices.ContainsFunc(page.Sessions, func(s catalog.Session) bool { return !s.IsAgent && s.ID != string(i.id) }) {
			slugs = append(slugs, i.row.Slug)
		}
	}
	return store.Family(i.id, slugs...)
}
