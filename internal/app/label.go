package app

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/homes"
	"sesskeep/internal/label"
)

// Label is what a user added to a session.
type Label = label.Label

// labels is the store of what users added; nil where there is no data directory.
func (a *App) labels() *label.Store {
	if a.opts.Shelf == nil {
		return nil
	}
	return a.opts.Shelf.Labels()
}

// TagCount is a tag, and how many sessions have it.
type TagCount struct {
	Tag   string
	Count int
}

// Tags lists the tags that the user gave to sessions of the homes, the one given
// most often first.
func (a *App) Tags(ctx context.Context) ([]TagCount, error) {
	store := a.labels()
	if store == nil {
		return nil, nil
	}
	all, err := store.All(ctx)
	if err != nil {
		return nil, err
	}
	often := map[string]int{}
	for key, l := range all {
		if slices.ContainsFunc(a.Homes.List, func(h *homes.Home) bool { return key.In(h.Key("")) == key }) {
			for _, tag := range l.Tags {
				often[tag]++
			}
		}
	}
	list := make([]TagCount, 0, len(often))
	for tag, n := range often {
		list = append(list, TagCount{tag, n})
	}
	slices.SortFunc(list, func(x, y TagCount) int { return cmp.Or(y.Count-x.Count, strings.Compare(x.Tag, y.Tag)) })
	return list, nil
}

// SessionKey is the key of a session of the home at root.
func (a *App) SessionKey(root, id string) sesskeep.Key {
	if h := a.Homes.At(root); h != nil {
		return h.Key(sesskeep.SessionID(id))
	}
	return sesskeep.Key{Session: sesskeep.SessionID(id)}
}
