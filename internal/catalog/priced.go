package catalog

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/homes"
	"sesskeep/internal/money"
	"sesskeep/internal/paging"
)

// ListPriced is List with what each session and its agents cost. To sort by cost
// all sessions that match have to be priced, so only this list can. A cursor of
// another list is [errcode.Invalid].
func (c *Snapshot) ListPriced(ctx context.Context, f ask.Filter, prices *money.Prices) (Page, error) {
	sort, back := strings.CutPrefix(f.Sort, "-")
	if sort != "cost" {
		page, err := c.List(ctx, f)
		if err != nil {
			return page, err
		}
		return page, c.catalog.AddCosts(ctx, page.Sessions, prices)
	}
	want := paging.Slice{Limit: f.Limit, Offset: f.Offset, Cursor: f.Cursor}
	list := cursor.Hash("cost", homes.Roots(c.homes), back, f.Project, f.Projects, f.Source)
	f.Sort, f.Limit, f.Offset, f.Cursor = "", 0, 0, ""
	page, err := c.List(ctx, f)
	if err != nil {
		return page, err
	}
	if err := c.catalog.AddCosts(ctx, page.Sessions, prices); err != nil {
		return page, err
	}
	spot := func(s *Session) cursor.Cursor { return costSpot(s, back) }
	slices.SortStableFunc(page.Sessions, func(a, b Session) int {
		x, y := spot(&a), spot(&b)
		return cmp.Or(cmp.Compare(y.Number, x.Number), strings.Compare(x.Text, y.Text))
	})
	page.Sessions, page.Next, err = paging.CutAfter(page.Sessions, want, list, spot)
	page.HasMore = page.Next != ""
	return page, err
}

// costSpot is where a session stands in a list by cost: in billionths of a dollar.
func costSpot(s *Session, back bool) cursor.Cursor {
	cost, _ := s.Spent()
	n := int64(math.Round(cost.Amount().USD() * 1e9))
	if back {
		n = -n
	}
	return cursor.Cursor{Number: n, Text: s.ID, Key: s.Root}
}
