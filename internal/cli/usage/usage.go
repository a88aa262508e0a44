// Package usage has the commands that count: usage and its ledger, stats, digest, and the
// status line.
package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // --tz works where the system has no zones

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/money"

	"github.com/spf13/cobra"
)

type usageOptions struct {
	by      string
	windows bool
	csv     bool
	source  string
	model   string
	branch  string
	listed  bool

	MoneyOptions
}

// MoneyOptions are the flags of every command that speaks of money.
type MoneyOptions struct {
	zone   string
	prices string
}

// Register adds the flags to a command and its subcommands.
func (o *MoneyOptions) Register(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&o.zone, "tz", "", "use the days of this time `ZONE`: Europe/Berlin, UTC, +05:45 (default yours)")
	f.StringVar(&o.prices, "prices", "", "use the prices in `FILE` on top of the built-in ones (also SESSKEEP_PRICES)")
	shell.Complete(cmd, "tz", "UTC", "local")
}

// kinds are the reports that have a word of their own.
var kinds = []string{"day", "week", "month", "project", "model", "session", "agent", "branch"}

// Command is "usage" with its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	var o usageOptions
	cmd := &cobra.Command{
		Use:        "usage [day|week|month|project|model|session|agent|branch]",
		SuggestFor: []string{"cost", "costs", "tokens"},
		Short:      "Report tokens and what they cost",
		Long: `Report tokens and what they cost at list prices, by day or by something else. Agents
are included in every figure, under their session. It covers all projects; -p picks one.
--since 5d starts at midnight of that day.

A message counts once, however many lines and files repeat it; "usage ledger" shows
what was counted and what was not. Every message is priced by itself, by its model,
its day, its mode and the length of its prompt. A model without a price is named and
never counted as free: a cost that leaves some out ends in "+". Titles, suggestions
and other requests that no transcript has are not in it.

What was spent stays spent: archived and trashed sessions count, and the report says how
many they are; --listed leaves them out. "trash purge" forgets what was spent.

--windows shows the 5-hour windows of Claude's plans: one starts at the full hour
(UTC) before the first message after the last one ended. All projects of the homes
count, whatever else is asked for. If "usage statusline" draws your status line, the used
part of your plan's limits is shown below: what Claude reported last, when, and when the
limit is used up at the pace of its window so far.

HIT% is the part of all input that came from the cache; CACHE-W is what was written to
it. A branch is the git branch that a message was written on; a session may have several.

A file for --prices has dollars per million tokens; its rows replace those of the
same model. A row may also have "fast": true, "over": TOKENS and "since": "2026-11-01":

  {"models": [{"model": "house-model-1", "input": 3, "output": 15,
    "cacheWrite5m": 3.75, "cacheWrite1h": 6, "cacheRead": 0.3}]}`,
		Example: `  sesskeep usage --since 7d
  sesskeep usage month --tz UTC --csv
  sesskeep usage project --since 2026-11-01
  sesskeep usage session -p my-app -n 10
  sesskeep usage branch -p my-app
  sesskeep usage --windows --since today
  sesskeep usage project --listed
  sesskeep usage ledger 3987
  sesskeep usage --jq '.totals.cost.usd'`,
		ValidArgs: kinds,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fail.Usage(fmt.Sprintf("give one report, not %d", len(args)), "usage: "+cmd.UseLine())
			case len(args) == 1 && !slices.Contains(kinds, args[0]) && args[0] != "gitBranch":
				hint, ok := shell.MeantHint(cmd.CommandPath(), args[0])
				if !ok {
					hint = "use one of " + strings.Join(kinds, ", ")
				}
				return fail.Usage(fmt.Sprintf("unknown report %q", args[0]), hint)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.by = args[0]
			}
			return runUsage(cmd.Context(), sh, o)
		},
	}
	o.Register(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.windows, "windows", false, "by the 5-hour windows of Claude's limits")
	f.BoolVar(&o.csv, "csv", false, "write comma-separated values, as --format csv does")
	f.StringVar(&o.source, "source", "", "spent by `WHO`: user, agent, helper or all (default all)")
	f.StringVar(&o.model, "model", "", "only models whose name contains `TEXT`")
	f.StringVar(&o.branch, "branch", "", "only what was spent on this git `BRANCH`")
	f.BoolVar(&o.listed, "listed", false, "only what lists show: no archived sessions, and none in the trash")
	shell.Complete(cmd, "source", "user", "agent", "helper", "all")
	cmd.AddCommand(ledgerCommand(sh, &o.MoneyOptions), statuslineCommand(sh, &o.MoneyOptions))
	return cmd
}

func runUsage(ctx context.Context, sh *shell.Shell, o usageOptions) error {
	if o.csv {
		sh.Out.Flags.Format = "csv"
	}
	if o.windows {
		if o.by != "" {
			return fail.Usage("--windows is a report of its own", "leave out "+o.by)
		}
		o.by = "window"
	}
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	if err := shell.OneOf("source", o.source, "user", "agent", "helper", "all"); err != nil {
		return err
	}
	r, err := openReport(ctx, sh, o.MoneyOptions, ask.Filter{Source: o.source, Model: o.model, Branch: o.branch, Listed: o.listed})
	if err != nil {
		return err
	}
	defer r.done()
	report, err := r.app.Catalog.Reports.Usage(ctx, money.UsageOptions{
		By: o.by, Filter: r.filter, Zone: r.zone, Prices: r.prices, Now: sh.Now(), Limit: limit,
	})
	if err != nil {
		return err
	}
	r.missTrash(sh)
	return printUsage(ctx, sh, &report, r.zone)
}

// missTrash notes what lies in the trash and could not be counted.
func (r *report) missTrash(sh *shell.Shell) {
	if r.filter.Listed {
		return
	}
	for _, u := range r.app.Catalog.Reports.Unread() {
		sh.Miss(&fs.PathError{Op: "count", Path: u.Path, Err: errors.New(u.Reason)})
	}
}

// report is what usage, its ledger and stats have in common: the homes, the rows that count by the
// global flags, the zone of days, and the prices.
type report struct {
	app    *app.App
	filter ask.Filter
	zone   *time.Location
	prices *money.Prices
	done   func() // ends the progress line
}

// openReport opens the homes for a report on the rows of a filter.
func openReport(ctx context.Context, sh *shell.Shell, o MoneyOptions, filter ask.Filter) (r report, err error) {
	r.filter = filter
	if r.zone, r.prices, err = ReadMoney(ctx, sh, o); err != nil {
		return r, err
	}
	if r.filter.Since, r.filter.Until, err = sh.SpanIn(r.zone); err != nil {
		return r, err
	}
	if r.app, r.done, err = sh.Open(); err != nil {
		return r, err
	}
	if r.filter.Projects, err = Projects(ctx, sh, r.app); err != nil {
		r.done()
	}
	return r, err
}

// ReadMoney reads the flags of MoneyOptions.
func ReadMoney(ctx context.Context, sh *shell.Shell, o MoneyOptions) (*time.Location, *money.Prices, error) {
	zone, err := money.Zone(o.zone, sh.Now().Location())
	if err != nil {
		return nil, nil, fail.Usage("--tz: "+err.Error(), "write a name such as Europe/Berlin, UTC or +05:45")
	}
	prices, err := money.ReadPrices(ctx, cmp.Or(o.prices, sh.Getenv("SESSKEEP_PRICES")))
	if err != nil {
		return nil, nil, fail.Hint(err, `"sesskeep usage --help" shows an example of such a file`)
	}
	return zone, prices, nil
}

// Projects are those that -p and --scope name, or nil: money is spent everywhere.
func Projects(ctx context.Context, sh *shell.Shell, a *app.App) ([]string, error) {
	if sh.Flags.Project == "" && sh.Flags.Scope == "" {
		return nil, nil
	}
	if err := a.Index.Ready(ctx); err != nil { // all of it, before the catalog asks for its rows
		return nil, err
	}
	scope, err := sh.NamedScope(ctx, a)
	return scope.IDs(), err
}
