package catalog

import (
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/index"
)

// FacetPage is what the sessions of a list have in common.
type FacetPage struct {
	Facets ask.Facets `json:"facets"` // values of each facet, most sessions first
	// More is the number of values that were left out of each facet, those with the fewest
	// sessions.
	More     map[string]int `json:"more,omitempty"`
	Complete *bool          `json:"complete,omitempty"` // with q: true if the search read everything
	ask.Covered
}

// Facets counts the sessions that match by what they have in common: source, state,
// started, project, gitBranch, model, tag, has, starred, archived. A count is how
// many a list would have with that value in place of what the filter says.
func (c *Catalog) Facets(ctx context.Context, f ask.Filter) (page FacetPage, err error) {
	f.Homes = c.homes.ForIndex()
	if f.Query, err = c.placed(f.Query); err != nil {
		return page, err
	}
	listable := index.Listable(f.Query)
	covered, err := c.index.AskCovered(ctx, listable, func(x *index.Index) error {
		if _, err := c.stateFilter(ctx, x, &f); err != nil {
			return err
		}
		if !listable {
			if page.Complete, err = c.search(ctx, x, &f); err != nil {
				return err
			}
		}
		page.Facets, page.More, err = x.Facets(ctx, f)
		return err
	})
	covered.Complete = covered.Complete && (page.Complete == nil || *page.Complete)
	page.Covered = ask.NewCovered(covered)
	return page, err
}

// search lets a filter take only the sessions in which its query finds a line, and those
// whose agents have one. What the filter and the query say of sessions is for the list,
// which also counts those that it hides. So all that list, count or change the sessions of
// a query choose the same ones.
func (c *Catalog) search(ctx context.Context, x *index.Index, f *ask.Filter) (complete *bool, err error) {
	found, whole, err := x.Matches(ctx, c.homes.ForIndex(), ask.Search{
		Query: index.OfLines(f.Query), Filter: ask.Filter{Source: "all", Archived: ask.ArchivedToo, In: f.In, Now: f.Now}, Slots: c.slots,
	})
	f.Among = found
	return &whole, err
}
