package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sesskeep/internal/homes"
)

// TagCount is a tag, and how many sessions have it.
type TagCount struct {
	Tag   string
	Count int
}

// Tags lists the tags that the user gave to sessions of the homes, the one given
// most often first.
func (c *Catalog) Tags(ctx context.Context) ([]TagCount, error) {
	store := c.index.Labels()
	if store == nil {
		return nil, nil
	}
	all, err := store.All(ctx)
	if err != nil {
		return nil, err
	}
	often := map[string]int{}
	for key, l := range all {
		if slices.ContainsFunc(c.homes.List, func(h *homes.Home) bool { return key.In(h.Key("")) == key }) {
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
