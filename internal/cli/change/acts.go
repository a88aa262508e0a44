package change

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"
)

// actsOptions say which changes are listed.
type actsOptions struct {
	command      string // that lists them
	session      string // its address, or the beginning of its id; empty: any
	since, until time.Time
}

// LogPage is what --json writes.
type LogPage struct {
	acts.ActPage
	Total int `json:"total"` // changes that match, also those that -n leaves out
}

// runActs lists what sesskeep changed: who, what, when and from where.
func runActs(ctx context.Context, sh *shell.Shell, o actsOptions) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	s, err := sh.Shelf()
	if err != nil {
		return err
	}
	shell.NoteUnfinished(sh, s)
	shell.NoteAltered(sh, s)
	roots, err := sh.Roots()
	if err != nil {
		return err
	}
	f := acts.ActFilter{Homes: roots, Since: o.since, Until: o.until}
	if sh.Flags.All {
		f.Homes = nil
	}
	missing := actsOf(ctx, sh, &f, o.session)
	all, others, err := acts.Acts(s, f)
	if err != nil {
		return err
	}
	page := LogPage{all, len(all.Acts)}
	if limit > 0 && limit < page.Total {
		page.Acts, page.More = page.Acts[:limit], true
	}
	if missing != nil && len(page.Acts) == 0 {
		return missing
	}
	empty := "Nothing was changed."
	if others > 0 {
		empty = fmt.Sprintf("Nothing was changed here. %s of other homes: sesskeep %s --all", output.Plural(others, "change"), o.command)
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "acts",
		Table: func(s term.Screen) *term.Table { return actTable(sh, s, page.Acts) },
		Empty: empty,
	})
}

// actsOf limits a list to the changes of one session. One that is not found may be
// gone, and have changes all the same: then the error is for a list without any.
func actsOf(ctx context.Context, sh *shell.Shell, f *acts.ActFilter, address string) error {
	if address == "" {
		return nil
	}
	_, target, err := sh.Find(ctx, address)
	if err == nil {
		f.Session = string(target.Ref.Session)
		return nil
	}
	if f.Session, _, _ = strings.Cut(address, "@"); f.Session == "" {
		f.Session = address // @last, where there is none
	}
	return err
}

func actTable(sh *shell.Shell, s term.Screen, acts []acts.ActRow) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Right: true, Style: term.Yellow, Min: output.Uncut}, {Title: "when"}, {Title: "change"}, {Title: "state"},
		{Title: "about", Flex: true, Min: 20}, {Title: "who", Style: term.Dim}, {Title: "from", Style: term.Dim},
	}}
	for _, a := range acts {
		what, when, about := output.Joined(" ", a.Verb, a.What), a.Timestamp.Format(time.RFC3339), a.SessionID
		if a.Undoes > 0 {
			what = output.Joined(" ", a.Verb, strconv.Itoa(a.Undoes), a.What)
		}
		if about == "" && len(a.Files) > 0 {
			about = a.Files[0]
		}
		if s.TTY {
			when, about = term.Ago(a.Timestamp.Time, sh.Now()), sh.Tilde(about)
			if a.SessionID != "" {
				about = output.Head(about, 8)
			}
		}
		t.Row(term.Cell{Text: strconv.Itoa(a.ID)}, term.Cell{Text: when}, term.Cell{Text: what}, term.Cell{Text: string(a.State)},
			term.Cell{Text: about}, term.Cell{Text: a.Actor.User}, term.Cell{Text: a.Actor.From})
	}
	return t
}
