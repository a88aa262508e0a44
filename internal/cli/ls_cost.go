package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/host"
	"sesskeep/internal/term"
)

// lsColumns are shown only when they are asked for. For the first two what every
// message used has to be read.
var (
	pricedColumns = []string{"cost", "context"}
	lsColumns     = append(slices.Clone(pricedColumns), "tags", "note", "starred", "archived", "expires", "origin")
)

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
	_, prices, err := sh.money(ctx, moneyOptions{})
	if err != nil {
		return listing{}, err
	}
	c, scope, err := chosenProject(ctx, sh, a, &filter, o.parent)
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

// addColumns puts the columns that were asked for behind the title, where a narrow
// screen has them too; on a pipe they come last.
func addColumns(t *term.Table, list []catalog.Session, o lsOptions, now time.Time) *term.Table {
	names := o.columns
	if o.byCost() && !slices.Contains(names, "cost") {
		names = append([]string{"cost"}, names...)
	}
	for n, name := range names {
		cells := make([]term.Cell, len(list))
		for i := range list {
			cells[i].Text = moreColumn(&list[i], name, t.Screen.TTY, now)
		}
		at := len(t.Columns)
		if t.Screen.TTY {
			at = slices.IndexFunc(t.Columns, func(c term.Column) bool { return c.Title == "title" }) + 1 + n
		}
		t.Insert(at, term.Column{Title: name, Right: name == "cost" || name == "context"}, cells)
	}
	return t
}

func moreColumn(s *catalog.Session, name string, tty bool, now time.Time) string {
	switch name {
	case "tags":
		return strings.Join(s.Tags, ",")
	case "note":
		return s.Note
	case "starred":
		if s.Starred {
			return "*"
		}
		return ""
	case "archived":
		if s.ArchivedAt.IsZero() {
			return ""
		}
		return s.ArchivedAt.UTC().Format(time.RFC3339)
	case "origin":
		return originColumn(s, tty)
	case "expires":
		return expiresColumn(s, tty, now)
	}
	return costColumn(s, name, tty)
}

func originColumn(s *catalog.Session, tty bool) string {
	switch {
	case !tty:
		return string(s.Origin)
	case s.Origin == ask.OriginCopy:
		return "copy only"
	}
	return ""
}

func expiresColumn(s *catalog.Session, tty bool, now time.Time) string {
	switch {
	case s.ExpiresAt.IsZero():
		return ""
	case tty && s.ExpiresAt.Before(now):
		return "any time"
	case tty:
		return plural(int(s.ExpiresAt.Sub(now)/(24*time.Hour)), "day")
	}
	return s.ExpiresAt.UTC().Format(time.RFC3339)
}

func costColumn(s *catalog.Session, name string, tty bool) string {
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
