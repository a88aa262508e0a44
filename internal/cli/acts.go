package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/term"
)

// actsOptions say which changes are listed.
type actsOptions struct {
	command      string // that lists them
	session      string // the beginning of its id; empty: any
	since, until time.Time
}

// runActs lists what sesskeep changed: who, what, when and from where.
func runActs(ctx context.Context, sh *shell, o actsOptions) error {
	limit, err := sh.limit()
	if err != nil {
		return err
	}
	s, err := sh.shelf()
	if err != nil {
		return err
	}
	if err := sh.settle(ctx, s); err != nil && !errors.Is(err, app.ErrHeld) {
		return err
	}
	roots, err := sh.roots()
	if err != nil {
		return err
	}
	f := app.ActFilter{Homes: roots, Session: o.session, Since: o.since, Until: o.until, Limit: limit}
	if sh.flags.all {
		f.Homes = nil
	}
	page, others, err := app.Acts(s, f)
	if err != nil {
		return err
	}
	empty := "Nothing was changed."
	if others > 0 {
		empty = fmt.Sprintf("Nothing was changed here. %s of other homes: sesskeep %s --all", plural(others, "change"), o.command)
	}
	return sh.print(ctx, listing{
		value: page, items: "acts",
		table: func(s term.Screen) *term.Table { return actTable(sh, s, page.Acts) },
		empty: empty,
	})
}

func actTable(sh *shell, s term.Screen, acts []app.ActRow) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Right: true, Style: term.Yellow, Min: uncut}, {Title: "when"}, {Title: "change"}, {Title: "state"},
		{Title: "about", Flex: true, Min: 20}, {Title: "who", Style: term.Dim}, {Title: "from", Style: term.Dim},
	}}
	for _, a := range acts {
		what, when, about := joined(" ", a.Verb, a.What), a.Timestamp.Format(time.RFC3339), a.SessionID
		if a.Undoes > 0 {
			what = joined(" ", a.Verb, strconv.Itoa(a.Undoes), a.What)
		}
		if about == "" && len(a.Files) > 0 {
			about = a.Files[0]
		}
		if s.TTY {
			when, about = term.Ago(a.Timestamp.Time, sh.Now()), sh.tilde(about)
			if a.SessionID != "" {
				about = head(about, 8)
			}
		}
		t.Row(term.Cell{Text: strconv.Itoa(a.ID)}, term.Cell{Text: when}, term.Cell{Text: what}, term.Cell{Text: string(a.State)},
			term.Cell{Text: about}, term.Cell{Text: a.Actor.User}, term.Cell{Text: a.Actor.From})
	}
	return t
}
