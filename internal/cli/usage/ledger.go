package usage

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/money"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type ledgerOptions struct {
	address string
	dropped bool
	money   *MoneyOptions
}

// ledgerLimit is how many rows are listed when it is about everything.
const ledgerLimit = 50

func ledgerCommand(sh *shell.Shell, money *MoneyOptions) *cobra.Command {
	o := ledgerOptions{money: money}
	cmd := &cobra.Command{
		Use:   "ledger [ADDRESS]",
		Short: "Show what a cost is made of, message by message",
		Long: `Show the messages behind a cost: which counted, which did not and why, the price of
each and the arithmetic. With ADDRESS it is about one session and its agents, without
about everything, the latest 50 messages first.

Lines of one file that repeat a message are merged: the largest of each figure
counts. Of several files that have it, it counts in the one with the most output,
then in one that is not an agent's, then in the earliest, then in the session that a
fork was made of, then in the first by name. Answers that the client made up itself
cost nothing.

The client's own total stands beside it where the session's file has one. It includes
requests that no transcript has, continues when a session is resumed, and a fork
inherits it.`,
		Example: `  sesskeep usage ledger 3987
  sesskeep usage ledger 3987 --dropped
  sesskeep usage ledger --since today --jq '.rows[] | select(.counted) | .answerId'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return shell.OneArg("session")(cmd, args)
			}
			return nil
		},
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.address = args[0]
			}
			return runLedger(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.dropped, "dropped", false, "only messages that were not counted here")
	return cmd
}

func runLedger(ctx context.Context, sh *shell.Shell, o ledgerOptions) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	if limit == 0 && o.address == "" {
		limit = ledgerLimit
	}
	r, err := openReport(ctx, sh, *o.money, ask.Filter{Limit: limit})
	if err != nil {
		return err
	}
	defer r.done()
	l, err := r.app.Catalog.Reports.Ledger(ctx, o.address, money.LedgerOptions{Filter: r.filter, Dropped: o.dropped, Prices: r.prices})
	if err != nil {
		return err
	}
	if o.address == "" {
		r.missTrash(sh)
	}
	out := output.Listing{
		Value: l, Items: "rows",
		Table: func(s term.Screen) *term.Table { return ledgerTable(s, &l, r.zone, o.dropped) },
	}
	form, err := sh.Out.Form()
	if err != nil {
		return err
	}
	if sh.Out.Screen.TTY && (form == "" || form == "table") {
		out.Render = func(w io.Writer) error { return renderLedger(sh, w, &l, r.zone, o.dropped) }
	}
	return sh.Out.Print(ctx, out)
}

// renderLedger writes the rows, the arithmetic below them, and what was left
// out.
func renderLedger(sh *shell.Shell, w io.Writer, l *catalog.Ledger, zone *time.Location, dropped bool) error {
	if err := ledgerTable(sh.Out.Screen, l, zone, dropped).Write(w); err != nil {
		return err
	}
	var b strings.Builder
	line := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if sh.Out.Screen.ASCII {
			text = strings.NewReplacer("×", "x", " · ", sh.Out.Gap(), "…", "...").Replace(text)
		}
		b.WriteString(text + "\n")
	}
	if l.HasMore {
		line("%s rows more (-n)", term.Count(l.Counts.Rows-len(l.Rows)))
	}
	if !dropped {
		for _, s := range l.Sums {
			line("\n%s · %s", term.Line(s.Price.String()), output.Plural(s.Messages, "message"))
			for _, sum := range s.Lines {
				line("  %s", sum)
			}
			line("  = %s", s.USD.Exact())
		}
		for _, u := range l.Unpriced {
			line("\n%s has no price: %s tokens, %s of all", term.Line(u.Model), term.Count(int(u.Tokens)), percent(u.Share))
		}
		line("\nTOTAL %s", l.Totals.Cost.String())
	}
	c := l.Counts
	line("%s counted · %s not counted, other files have them · %s merged into their message · %s made up by the client",
		output.Plural(c.Counted, "message"), term.Count(c.Dropped), output.Plural(c.Merged, "line"), term.Count(c.Synthetic))
	if l.Client != nil {
		more := ""
		if l.Client.UnknownModel {
			more = ", without models it does not know"
		}
		line("the client's own total: %s%s", l.Client.USD, more)
	}
	line("%s", PricedWith(l.Prices, nil))
	_, err := io.WriteString(w, b.String())
	return err
}

func ledgerTable(s term.Screen, l *catalog.Ledger, zone *time.Location, dropped bool) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "time", Min: 14}, {Title: "session", Style: term.Yellow, Min: output.Uncut}, {Title: "message", Flex: true, Min: 12}, {Title: "model", Style: term.Cyan},
		{Title: "lines", Right: true}, {Title: "input", Right: true}, {Title: "output", Right: true}, {Title: "cache-w", Right: true},
		{Title: "cache-r", Right: true}, {Title: "cost", Right: true}, {Title: "note", Flex: true, Min: 36},
	}}
	n := func(n int64) string { return strconv.FormatInt(n, 10) }
	if s.TTY {
		n = term.Tokens
	}
	for i := range l.Rows {
		r := &l.Rows[i]
		who, when, cost := r.Session, r.Time.UTC().Format(time.RFC3339Nano), ""
		if r.Agent != "" {
			who = "agent-" + r.Agent
		}
		who += l.Suffix(r)
		if r.USD != nil {
			cost = strings.TrimPrefix(r.USD.Exact(), "$")
		}
		if r.Time.IsZero() {
			when = ""
		}
		if s.TTY {
			who, when = ledgerWho(l, r), when[:min(len(when), 0)]
			if !r.Time.IsZero() {
				when = r.Time.In(zone).Format("01-02 15:04:05")
			}
			if r.USD != nil {
				cost = r.USD.Exact()
			}
		}
		t.Row(output.Cells([]string{
			when, who, r.Message, r.Model, strconv.Itoa(r.Lines), n(r.Usage.Input), n(r.Usage.Output),
			n(r.Usage.CacheWrite5m + r.Usage.CacheWrite1h), n(r.Usage.CacheRead), cost, ledgerNote(s, r),
		})...)
	}
	return t
}

func ledgerWho(l *catalog.Ledger, r *money.LedgerRow) string {
	if r.Agent != "" {
		return output.Head(r.Session, 4) + "/" + output.Head(r.Agent, 8) + l.Suffix(r)
	}
	return output.Head(r.Session, 8) + l.Suffix(r)
}

// ledgerNote says why a row does not count, or is not what it seems.
func ledgerNote(s term.Screen, r *money.LedgerRow) string {
	switch {
	case r.Counted && r.USD == nil:
		return strings.TrimLeft(r.Call+", no price", ", ")
	case r.Counted && r.Call != "":
		return r.Call
	case r.Counted && r.Price != nil && (r.Price.Over > 0 || r.Price.Fast || r.Price.Batch != 0 || r.Price.USOnly != 0):
		return r.Price.String()
	case r.Counted:
		return ""
	case r.CountedIn == "":
		return "counted elsewhere"
	}
	where := r.CountedIn
	if s.TTY {
		where = output.Head(strings.TrimPrefix(where, "agent-"), 8)
	}
	return "counted in " + where + ": " + r.Why
}
