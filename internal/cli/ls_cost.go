package cli

import (
	"context"
	"slices"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/host"
	"sesskeep/internal/term"
)

// pricedColumns are those for which what every message used has to be read.
var pricedColumns = []string{"cost", "context"}

func (o *lsOptions) priced() bool {
	return o.byCost() || slices.ContainsFunc(o.columns, func(name string) bool { return slices.Contains(pricedColumns, name) })
}

// addExpiry tells when sessions expire, if that is asked for.
func addExpiry(ctx context.Context, a *app.App, page *catalog.Page, o lsOptions) error {
	if !slices.Contains(o.columns, "expires") {
		return nil
	}
	return a.Keep.AddExpiry(ctx, page.Sessions, host.ManagedDir())
}
func (o *lsOptions) byCost() bool { return strings.TrimPrefix(o.sort, "-") == "cost" }

// pricedSessions lists sessions with their costs.
func pricedSessions(ctx context.Context, sh *shell, a *app.App, filter ask.Filter, o lsOptions) (listing, error) {
	_, prices, err := readMoney(ctx, sh, moneyOptions{})
	if err != nil {
		return listing{}, err
	}
	c, scope, err := chosenProject(ctx, sh, a, &filter, o.chosen.text("parent"))
	if err != nil {
		return listing{}, err
	}
	page, err := c.ListPriced(ctx, filter, prices)
	if err == nil {
		err = addExpiry(ctx, a, &page, o)
	}
	if err != nil {
		return listing{}, err
	}
	return listing{
		value: page, items: "sessions",
		table: func(s term.Screen) *term.Table {
			return addColumns(sessionTable(s, page.Sessions, scope == nil, sh.Now()), page.Sessions, o, sh.Now())
		},
		footer: summary(c, page, scope),
		empty:  noSessions(c, page),
	}, nil
}
