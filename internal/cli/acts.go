package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/term"
)

// actPage is what --json writes.
type actPage struct {
	Acts []actRow `json:"acts"`
	More bool     `json:"hasMore"` // there are older ones
}

// actRow is an act without its steps, which are the journal's own.
type actRow struct {
	ID        int          `json:"id"`
	Timestamp app.Stamp    `json:"timestamp"`
	Verb      string       `json:"verb"`
	Actor     app.Actor    `json:"actor"`
	Root      string       `json:"root"`
	SessionID string       `json:"sessionId,omitempty"`
	What      string       `json:"what,omitempty"`  // it did to the session
	Batch     string       `json:"batch,omitempty"` // the same for all changes of one command
	State     app.ActState `json:"state"`
	Problem   string       `json:"problem,omitempty"`
	Undoes    int          `json:"undoes,omitempty"` // of an undo: the act
	Tag       string       `json:"tag,omitempty"`    // of its files beside those it changes
	Files     []string     `json:"files"`
}

func newActRow(a *app.Act) actRow {
	return actRow{
		ID: a.ID, Timestamp: app.Stamp{Time: a.Time}, Verb: a.Verb, Actor: a.Actor, Root: a.Home, SessionID: a.Session, What: a.What, Batch: a.Batch,
		State: a.State, Problem: a.Problem, Undoes: a.Undoes, Tag: a.Tag, Files: append([]string{}, a.Files()...),
	}
}

// actsOptions say which changes are listed.
type actsOptions struct {
	command      string // that lists them
	session      string // the beginning of its id; empty: any
	since, until time.Time
}

// takes reports whether a change is one of those.
func (o *actsOptions) takes(a *app.Act) bool {
	return strings.HasPrefix(strings.ToLower(a.Session), strings.ToLower(o.session)) &&
		(o.since.IsZero() || !a.Time.Before(o.since)) && (o.until.IsZero() || a.Time.Before(o.until))
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
	page := actPage{Acts: []actRow{}}
	others := 0
	for a, err := range s.Acts() {
		switch {
		case err != nil:
			return err
		case !o.takes(&a):
			continue
		case !sh.flags.all && !a.In(roots):
			others++
			continue
		}
		if page.More = limit > 0 && len(page.Acts) == limit; page.More {
			break
		}
		page.Acts = append(page.Acts, newActRow(&a))
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

func actTable(sh *shell, s term.Screen, acts []actRow) *term.Table {
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
