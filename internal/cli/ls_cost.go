package cli

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/term"
)

// What lists show and sort by only when they are asked to: it takes reading what
// every message used.
var (
	lsColumns = []string{"cost", "context"}
	lsSorts   = append(slices.Clone(app.Sorts), "cost")
)

func (o *lsOptions) priced() bool { return len(o.columns) > 0 || o.byCost() }
func (o *lsOptions) byCost() bool { return strings.TrimPrefix(o.sort, "-") == "cost" }

// pricedSessions lists sessions with their costs. To sort by cost all that match
// have to be priced.
func (sh *shell) pricedSessions(ctx context.Context, a *app.App, filter app.Filter, o lsOptions) (listing, error) {
	_, prices, err := sh.money(moneyOptions{})
	if err != nil {
		return listing{}, err
	}
	c, scope, err := sh.chosen(ctx, a, &filter, o.parent)
	if err != nil {
		return listing{}, err
	}
	limit := filter.Limit
	if o.byCost() {
		filter.Sort, filter.Limit = "", 0
	}
	page, err := c.List(ctx, filter)
	if err != nil {
		return listing{}, err
	}
	if err := a.AddCosts(ctx, page.Sessions, prices); err != nil {
		return listing{}, err
	}
	if o.byCost() {
		sortByCost(page.Sessions, strings.HasPrefix(o.sort, "-"))
		if limit > 0 && limit < len(page.Sessions) {
			page.Sessions, page.HasMore, page.Next = page.Sessions[:limit], true, strconv.Itoa(limit)
		}
	}
	return listing{
		value: page, items: "sessions",
		table: func(s term.Screen) *term.Table {
			return addColumns(sessionTable(s, page.Sessions, scope == nil, sh.Now()), page.Sessions, o)
		},
		footer: summary(page, scope),
		empty:  noSessions(c, page),
	}, nil
}

// sortByCost puts the most costly first, or last. The order of those that cost the
// same stays.
func sortByCost(list []app.Session, back bool) {
	amount := func(s *app.Session) float64 {
		cost, _ := s.Spent()
		return cost.Amount().USD()
	}
	slices.SortStableFunc(list, func(a, b app.Session) int {
		if back {
			return cmp.Compare(amount(&a), amount(&b))
		}
		return cmp.Compare(amount(&b), amount(&a))
	})
}

// addColumns puts the columns that were asked for behind the title, where a narrow
// screen has them too; on a pipe they come last.
func addColumns(t *term.Table, list []app.Session, o lsOptions) *term.Table {
	names := o.columns
	if o.byCost() && !slices.Contains(names, "cost") {
		names = append([]string{"cost"}, names...)
	}
	for n, name := range names {
		cells := make([]term.Cell, len(list))
		for i := range list {
			cells[i].Text = costColumn(&list[i], name, t.Screen.TTY)
		}
		at := len(t.Columns)
		if t.Screen.TTY {
			at = slices.IndexFunc(t.Columns, func(c term.Column) bool { return c.Title == "title" }) + 1 + n
		}
		t.Insert(at, term.Column{Title: name, Right: true}, cells)
	}
	return t
}

func costColumn(s *app.Session, name string, tty bool) string {
	cost, known := s.Spent()
	switch {
	case name == "cost" && (!known || cost.USD == nil && len(cost.UnpricedModels) == 0), name == "context" && s.Context == 0:
		return ""
	case name == "cost" && tty:
		return cost.String()
	case name == "cost":
		return dollars(cost)
	case tty:
		return term.Tokens(s.Context)
	}
	return strconv.FormatInt(s.Context, 10)
}
