package watch

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
	"sesskeep/internal/money"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type psOptions struct {
	watch   bool
	columns []string
	gauge   *gauge                      // nil: nothing is measured
	limits  func() ([]ask.Limit, error) // of the plans that the homes are used with; nil: they are not shown
}

// PsCommand is "ps".
func PsCommand(sh *shell.Shell) *cobra.Command {
	var o psOptions
	cmd := &cobra.Command{
		Use:        "ps",
		SuggestFor: []string{"live", "running"},
		Short:      "List running sessions, and which of them wait for you",
		Long: `List the sessions of running clients, the most urgent first: what each does, since when,
how that is known, and how full its context is. The states
come from Claude Code's registry of processes, from hooks ("hook install") and from the
ends of transcripts, in that order. Sessions that sesskeep runs have the name of the run,
such as r7: what they wait for is in "sesskeep inbox".

--all also lists sessions whose client stopped in the middle of something within the last
day. --watch shows the list again whenever something changes; a pipe then gets a line for
each session whose state changed.

--columns cpu,memory shows what each client takes up on this machine: its share of one
processor over the last fifth of a second, and its memory. What it started does not
count. Only Linux says so; elsewhere the columns are empty.`,
		Example: `  sesskeep ps
  sesskeep ps --watch
  sesskeep ps --columns cpu,memory
  sesskeep ps --jq '.sessions[] | select(.state.word == "needs you") | .id'`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPs(cmd.Context(), sh, o) },
	}
	cmd.Flags().BoolVarP(&o.watch, "watch", "w", false, "show it again whenever something changes")
	cmd.Flags().StringSliceVar(&o.columns, "columns", nil, "also show these `COLUMNS`: "+strings.Join(psColumnNames, ", "))
	shell.Complete(cmd, "columns", psColumnNames...)
	return cmd
}

func runPs(ctx context.Context, sh *shell.Shell, o psOptions) error {
	if sh.Out.Flags.JSON == "?" {
		return sh.Out.PrintFields(psListing(sh, follow.ProcessPage{}, o))
	}
	for _, name := range o.columns {
		if err := shell.OneOf("columns", cmp.Or(name, "?"), psColumnNames...); err != nil {
			return err
		}
	}
	if len(o.columns) > 0 && !sh.Flags.Demo.On { // its clients are no processes of this machine
		o.gauge = newGauge()
	}
	form, err := sh.Out.Form()
	if err != nil {
		return err
	}
	a, err := shell.OpenLive(sh)
	if err != nil {
		return err
	}
	_, prices, err := usage.ReadMoney(ctx, sh, usage.MoneyOptions{})
	if err != nil {
		return err
	}
	o.limits = a.Catalog.Reports.Limits
	w := follow.PsOptions{Now: sh.Now, Left: sh.Flags.All, Prices: prices}
	scope, err := sh.NamedScope(ctx, a)
	if err != nil {
		return err
	}
	w.Projects = scope.Projects
	if o.watch {
		a.Stay()
		return watchPs(ctx, sh, a, w, o, form)
	}
	page, err := a.Live.Ps(ctx, w)
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, psListing(sh, page, o))
}

const nothingRuns = "No Claude Code session runs."

func psListing(sh *shell.Shell, list follow.ProcessPage, o psOptions) output.Listing {
	page := psPage(list, o.gauge)
	var below []string
	if o.limits != nil {
		limits, _ := o.limits() // the list is whole without them
		below = usage.LimitLines(limits, sh.Now())
	}
	return output.Listing{
		Below: below,
		Value: page, Items: "sessions", Empty: nothingRuns, Footer: psFooter(list),
		Table: func(s term.Screen) *term.Table {
			return addLoad(psTable(s, list.Sessions, sh.Now()), page.Sessions, o.columns)
		},
	}
}

// psFooter says who waits for what, where a column has no room for it.
func psFooter(page follow.ProcessPage) string {
	var waiting []string
	for i := range page.Sessions {
		if s := &page.Sessions[i].State; s.Waiting != "" {
			name := cmp.Or(page.Sessions[i].Run, output.Head(string(page.Sessions[i].Session), 8))
			waiting = append(waiting, name+" "+s.Waiting)
		}
	}
	return strings.Join(waiting, draw.Unicode.Gap)
}

// watchPs shows the list after every change: on a terminal instead of the one
// before, elsewhere as one document or line for each change.
func watchPs(ctx context.Context, sh *shell.Shell, a *app.App, w follow.PsOptions, o psOptions, form string) error {
	known := map[string]string{}
	return a.Live.PsWatch(ctx, w, func(page follow.ProcessPage) error {
		switch {
		case form == "json" || form == "jsonl" || sh.Out.Flags.JQ != "":
			return printChange(sh, psListing(sh, page, o))
		case !sh.Out.Screen.TTY:
			return sh.Out.PrintTable(ctx, psListing(sh, changedSince(known, page), o), form)
		}
		return redraw(ctx, sh, page, o)
	})
}

// printChange writes one document a line.
func printChange(sh *shell.Shell, l output.Listing) error {
	if sh.Out.Flags.JQ != "" {
		return sh.Out.PrintJQ(l)
	}
	value, err := sh.Out.Selected(l)
	if err != nil {
		return err
	}
	return output.WriteAnswer(sh.Stdout, value, "")
}

// redraw shows the list in place of the one before.
func redraw(ctx context.Context, sh *shell.Shell, page follow.ProcessPage, o psOptions) error {
	sh.Out.Flags.NoPager = true
	if sh.Out.Flags.Format != "table" { // then it may be no terminal at all
		if _, err := io.WriteString(sh.Stdout, sh.Out.Screen.Redraw()); err != nil {
			return err
		}
	}
	when := sh.Now().Format("15:04:05") + "  " + output.Plural(page.Total, "session")
	if _, err := fmt.Fprintln(sh.Stdout, sh.Out.Screen.Paint(term.Dim, when)); err != nil {
		return err
	}
	return sh.Out.PrintTable(ctx, psListing(sh, page, o), "")
}

// changedSince returns the sessions whose state differs from the known one. Sessions that
// are no longer listed have the state "ended".
func changedSince(known map[string]string, page follow.ProcessPage) follow.ProcessPage {
	changed := follow.ProcessPage{}
	seen := map[string]bool{}
	for _, p := range page.Sessions {
		key, now := p.Root+"\n"+string(p.Session), string(p.State.Word)+"\n"+p.State.Waiting
		seen[key] = true
		if known[key] != now {
			known[key] = now
			changed.Sessions = append(changed.Sessions, p)
		}
	}
	for key := range known {
		if !seen[key] {
			delete(known, key)
			root, id, _ := strings.Cut(key, "\n")
			changed.Sessions = append(changed.Sessions, follow.Ended(root, id))
		}
	}
	return changed
}

func psTable(s term.Screen, list []follow.Process, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "state", Min: 13}, {Title: "session", Style: term.Yellow, Min: output.Uncut}, {Title: "project", Style: term.Cyan, Min: 12},
		{Title: "title", Flex: true, Min: 20}, {Title: "since", Right: true}, {Title: "context", Right: true},
		{Title: "cost", Right: true}, {Title: "pid", Right: true}, {Title: "last line", Flex: true}, {Title: "why", Style: term.Dim, Flex: true},
	}}
	t.Columns = t.Columns[:psColumns(s)]
	for i := range list {
		p := &list[i]
		cells := []term.Cell{
			{Text: string(p.State.Word)}, {Text: string(p.Session) + p.Suffix}, {Text: p.Project}, {Text: p.Title},
			{Text: output.RFC3339(stamp.Time{Time: p.State.Since})}, {Text: output.NonZero64(p.Context)},
			{Text: psCost(p.Cost)}, {Text: output.NonZero64(int64(p.PID))}, {Text: p.LastLine}, {Text: output.Joined(": ", p.Run, p.State.Waiting, p.State.Why)},
		}
		if s.TTY {
			glyph, style := draw.State(s, string(p.State.Word))
			cells[0] = term.Cell{Text: glyph + " " + string(p.State.Word), Style: style}
			cells[1].Text = output.Head(string(p.Session), 8) + p.Suffix
			cells[4].Text = term.Ago(p.State.Since, now)
			cells[5].Text = contextText(p)
		}
		t.Row(cells...)
	}
	return t
}

// psColumns is how many columns a screen has room for. What is left out first
// are the long texts; the footer has the most important of them.
func psColumns(s term.Screen) int {
	switch {
	case s.Width == 0 || s.Width >= 160:
		return 10
	case s.Width >= 120:
		return 9
	}
	return 8
}

// contextText is how full the context is.
func contextText(p *follow.Process) string {
	switch {
	case p.Context == 0:
		return ""
	case p.Window == 0:
		return term.Tokens(p.Context) + " of ?"
	}
	return fmt.Sprintf("%s %d%%", term.Tokens(p.Context), p.Context*100/p.Window)
}

func psCost(c *money.Cost) string {
	if c == nil || c.USD == nil {
		return ""
	}
	return c.String()
}
