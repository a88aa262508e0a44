package freshness

import (
	"context"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/homes"
	"sesskeep/internal/index"
	"sesskeep/internal/label"
)

// mirror updates the copy of the labels in an index. Lists work without labels too, so
// an error only becomes a note.
func (f *Index) mirror(ctx context.Context, x *index.Index) {
	err := mirrorLabels(ctx, x, f.opts.Labels, f.opts.Homes)
	if ctx.Err() != nil {
		return
	}
	f.unlabelled.Store(&err)
}

func mirrorLabels(ctx context.Context, x *index.Index, store *label.Store, homes *homes.Set) error {
	if store == nil {
		return nil
	}
	var all map[sesskeep.Key]label.Label // read once for all homes
	for _, h := range homes.List {
		key := h.Key("")
		generation := store.Generation()
		if generation != "" {
			generation += key.String()
		}
		_, err := x.MirrorLabels(ctx, h.Store.Root(), generation, func() (list []ask.Label, err error) {
			if all == nil {
				if all, err = store.All(ctx); err != nil {
					return nil, err
				}
			}
			for k, l := range all {
				if k.In(key) == k && k.Agent == "" {
					list = append(list, ask.Label{
						ID: string(k.Session), Title: l.Title, Over: l.Over, Tags: l.Tags, Note: l.Note, Starred: l.Starred, Archived: l.Archived, Source: ask.Source(l.Source),
					})
				}
			}
			return list, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Labels returns the store of labels; nil: there is none.
func (f *Index) Labels() *label.Store { return f.opts.Labels }
