package cli

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/money"
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

// pricedRow is a session with what it and its agents cost.
type pricedRow struct {
	app.Row
	Cost    *money.Cost `json:"cost,omitempty"` // missing where nothing was spent
	Context int64       `json:"contextTokens,omitempty"`
}

// pricedPage is a list of sessions that --json writes.
type pricedPage struct {
	Sessions []pricedRow    `json:"sessions"`
	Total    int            `json:"total"`
	HasMore  bool           `json:"hasMore"`
	Next     string         `json:"next,omitempty"`
	Hidden   map[string]int `json:"hidden"`
}

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
	list, err := priceRows(ctx, a, page.Sessions, prices)
	if err != nil {
		return listing{}, err
	}
	if o.byCost() {
		sortByCost(list, strings.HasPrefix(o.sort, "-"))
		if limit > 0 && limit < len(list) {
			list, page.HasMore, page.Next = list[:limit], true, strconv.Itoa(limit)
		}
	}
	page.Sessions = make([]app.Row, len(list))
	for i := range list {
		page.Sessions[i] = list[i].Row
	}
	return listing{
		value: pricedPage{list, page.Total, page.HasMore, page.Next, page.Hidden}, items: "sessions",
		table: func(s term.Screen) *term.Table {
			return addColumns(sessionTable(s, page.Sessions, scope == nil, sh.Now()), list, o)
		},
		footer: summary(page, scope),
		empty:  noSessions(c, page),
	}, nil
}

func priceRows(ctx context.Context, a *app.App, rows []app.Row, prices *money.Prices) ([]pricedRow, error) {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	costs, err := a.SessionCosts(ctx, ids, prices)
	list := make([]pricedRow, len(rows))
	for i := range rows {
		list[i].Row = rows[i]
		if c, ok := costs[app.SessionKey{Root: rows[i].Root, ID: rows[i].ID}]; ok {
			total := c.Total().Cost
			list[i].Cost, list[i].Context = &total, c.Context
		}
	}
	return list, err
}

// sortByCost puts the most costly first, or last. The order of those that cost the
// same stays.
func sortByCost(list []pricedRow, back bool) {
	amount := func(r *pricedRow) float64 {
		if r.Cost == nil {
			return 0
		}
		return r.Cost.Amount().USD()
	}
	slices.SortStableFunc(list, func(a, b pricedRow) int {
		if back {
			return cmp.Compare(amount(&a), amount(&b))
		}
		return cmp.Compare(amount(&b), amount(&a))
	})
}

// addColumns puts the columns that were asked for behind the title, where a narrow
// screen has them too; on a pipe they come last.
func addColumns(t *term.Table, list []pricedRow, o lsOptions) *term.Table {
	names := o.columns
	if o.byCost() && !slices.Contains(names, "cost") {
		names = append([]string{"cost"}, names...)
	}
	for n, name := range names {
		cells := make([]term.Cell, len(list))
		for i := range list {
			cells[i].Text = list[i].column(name, t.Screen.TTY)
		}
		at := len(t.Columns)
		if t.Screen.TTY {
			at = slices.IndexFunc(t.Columns, func(c term.Column) bool { return c.Title == "title" }) + 1 + n
		}
		t.Insert(at, term.Column{Title: name, Right: true}, cells)
	}
	return t
}

func (r *pricedRow) column(name string, tty bool) string {
	switch {
	case name == "cost" && r.Cost == nil, name == "context" && r.Context == 0:
		return ""
	case name == "cost" && tty:
		return r.Cost.String()
	case name == "cost":
		return dollars(*r.Cost)
	case tty:
		return term.Tokens(r.Context)
	}
	return strconv.FormatInt(r.Context, 10)
}
