package list

import (
	"context"
	"slices"
	"strings"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/host"
	"sesskeep/internal/term"
)

// pricedColumns are those for which what every message used has to be read.
var pricedColumns = []string{"cost", "context"}

func (o *Options) priced() bool {
	return o.byCost() || slices.ContainsFunc(o.columns, func(name string) bool { return slices.Contains(pricedColumns, name) })
}

// addExpiry adds when sessions expire, if that column is wanted.
func addExpiry(ctx context.Context, a *app.App, page *catalog.Page, o Options) error {
	if !slices.Contains(o.columns, "expires") {
		return nil
	}
	return a.Keep.AddExpiry(ctx, page.Sessions, host.ManagedDir())
}
func (o *Options) byCost() bool { return strings.TrimPrefix(o.sort, "-") == "cost" }

// pricedSessions lists sessions with their costs.
func pricedSessions(ctx context.Context, sh *shell.Shell, a *app.App, filter ask.Filter, o Options) (output.Listing, error) {
	_, prices, err := usage.ReadMoney(ctx, sh, usage.MoneyOptions{})
	if err != nil {
		return output.Listing{}, err
	}
	c, scope, err := ChooseProject(ctx, sh, a, &filter, o.Chosen.Text("parent"))
	if err != nil {
		return output.Listing{}, err
	}
	page, err := c.ListPriced(ctx, filter, prices)
	if err == nil {
		err = addExpiry(ctx, a, &page, o)
	}
	if err != nil {
		return output.Listing{}, err
	}
	return output.Listing{
		Value: page, Items: "sessions",
		Table: func(s term.Screen) *term.Table {
			return addColumns(sessionTable(s, page.Sessions, len(scope.Projects) != 1, sh.Now()), page.Sessions, o, sh.Now())
		},
		Footer: summary(c, page, scope),
		Empty:  noSessions(c, page),
	}, nil
}
