package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/host"
	"sesskeep/internal/keeping"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type keepExpiringOptions struct {
	days   int
	unkept bool
}

func keepExpiringCommand(sh *shell) *cobra.Command {
	var o keepExpiringOptions
	cmd := &cobra.Command{
		Use:   "expiring",
		Short: "List the sessions that Claude will delete soon",
		Long: `List the sessions that Claude Code will delete soon, with the days that are left. It
counts from the last time a transcript was written, and uses the shortest period set in
any settings file. A number below zero means that it can happen at any time.`,
		Example: `  sesskeep keep expiring
  sesskeep keep expiring --days 30 --unkept
  sesskeep keep expiring --jq '.sessions[] | select(.daysLeft < 3) | .id'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runKeepExpiring(cmd.Context(), sh, o) },
	}
	cmd.Flags().IntVar(&o.days, "days", 7, "only sessions with at most `N` days left; 0: all")
	cmd.Flags().BoolVar(&o.unkept, "unkept", false, "leave out sessions that have a copy")
	return cmd
}

// expiringPage is what --json writes.
type expiringPage struct {
	Sessions []keeping.ExpiringSession `json:"sessions"`
	Total    int                       `json:"total"`
}

func runKeepExpiring(ctx context.Context, sh *shell, o keepExpiringOptions) error {
	limit, err := sh.limit()
	if err != nil {
		return err
	}
	if o.days < 0 {
		return failUsage("--days must not be negative", "0 lists all")
	}
	a, done, err := sh.open()
	if err != nil {
		return err
	}
	defer done()
	within := time.Duration(o.days) * 24 * time.Hour
	list, err := a.Keep.Expiring(ctx, keeping.ExpiringOptions{Within: within, Managed: host.ManagedDir(), Unkept: o.unkept})
	if err != nil {
		return err
	}
	page := expiringPage{list, len(list)}
	if limit > 0 && limit < len(list) {
		page.Sessions = list[:limit]
	}
	empty := "No session expires."
	if o.days > 0 {
		empty = fmt.Sprintf("No session expires within %s.", plural(o.days, "day"))
	}
	return sh.out.print(ctx, listing{
		value: page, items: "sessions",
		table:  func(s term.Screen) *term.Table { return expiringTable(s, page.Sessions) },
		footer: plural(page.Total, "session"),
		empty:  empty,
	})
}

// unkeptSoon is how far ahead lists warn.
const unkeptSoon = 7 * 24 * time.Hour

// warnUnkept tells a person which sessions are about to be lost. What goes wrong
// with that is no matter: it was not asked for.
func warnUnkept(ctx context.Context, sh *shell, a *app.App) {
	if !sh.out.forPeople() || sh.out.flags.quiet {
		return
	}
	n, stopped, err := a.Keep.Unkept(ctx, unkeptSoon, host.ManagedDir())
	switch {
	case err != nil:
	case stopped != "":
		sh.closers = append(sh.closers, func() error { sh.note("sesskeep has stopped keeping copies: " + stopped); return nil })
	case n > 0:
		text := plural(n, "session") + " without a copy will be deleted by Claude within 7 days: " + sh.command("keep on")
		sh.closers = append(sh.closers, func() error { sh.note(text); return nil })
	}
}

func expiringTable(s term.Screen, list []keeping.ExpiringSession) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Yellow, Min: 8}, {Title: "days left", Right: true}, {Title: "kept"}, {Title: "project", Style: term.Cyan}, {Title: "title", Flex: true, Min: 20}, {Title: "size", Right: true},
	}}
	for _, e := range list {
		id, kept, size := e.ID, "no", fmt.Sprint(e.Size)
		if e.Kept {
			kept = "yes"
		}
		if s.TTY {
			id, size = id[:8], term.Bytes(e.Size)
		}
		t.Row(toCells([]string{id, strconv.Itoa(e.Days), kept, e.Project, e.Title, size})...)
	}
	return t
}

func keepRetentionCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retention",
		Short: "Show how long Claude keeps sessions",
		Long: `Show after how many days Claude Code deletes sessions, and which settings file says so.
"retention set N" changes the number in the settings of the home.`,
		Example: "  sesskeep keep retention\n  sesskeep keep retention set 365",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeepRetention(cmd.Context(), sh) },
	}
	cmd.AddCommand(keepRetentionSetCommand(sh))
	return cmd
}

func runKeepRetention(ctx context.Context, sh *shell) error {
	a, done, err := sh.open()
	if err != nil {
		return err
	}
	defer done()
	page, err := a.Keep.Retentions(ctx, host.ManagedDir())
	if err != nil {
		return err
	}
	noteUnread(sh, page.Problems)
	return sh.out.print(ctx, listing{
		value: page, items: "homes",
		table: func(s term.Screen) *term.Table { return retentionTable(sh, s, page.Homes) },
	})
}

func retentionTable(sh *shell, s term.Screen, list []keeping.Retention) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "home", Min: uncut}, {Title: "days", Right: true}, {Title: "set in", Flex: true, Min: 20}, {Title: "last clean-up"},
	}}
	for _, r := range list {
		home, file, last := r.Root, r.File, ""
		if !r.LastSweep.IsZero() {
			last = r.LastSweep.Format(time.RFC3339)
		}
		if s.TTY {
			home, file = sh.tilde(home), sh.tilde(file)
			if last != "" {
				last = term.Ago(r.LastSweep.Time, sh.Now())
			}
			if file == "" {
				file = "nowhere: the default"
			}
		}
		t.Row(toCells([]string{home, strconv.Itoa(r.Days), file, last})...)
	}
	return t
}

type keepRetentionSetOptions struct {
	days   int
	dryRun bool
}

func keepRetentionSetCommand(sh *shell) *cobra.Command {
	var o keepRetentionSetOptions
	cmd := &cobra.Command{
		Use:   "set N",
		Short: "Let Claude keep sessions for N days",
		Long: `Set cleanupPeriodDays in settings.json of every home that is named, else of the usual
one. Everything else in the file keeps its bytes, and "undo" takes the change back. A
setting of a project or of an administrator goes before it.

Exit codes: 0 fine · 1 the settings are no JSON · 4 not allowed · 5 somebody else is
writing · 6 done in some homes only`,
		Example: "  sesskeep keep retention set 365\n  sesskeep keep retention set 3650 --dry-run",
		Args:    oneArg("number of days"),
		RunE: func(cmd *cobra.Command, args []string) error {
			days, err := strconv.Atoi(args[0])
			if err != nil || days < 1 {
				return failUsage(fmt.Sprintf("%q is not a number of days", args[0]), "give a whole number of at least 1; 3650 is as good as never")
			}
			o.days = days
			return runKeepRetentionSet(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	return cmd
}

func runKeepRetentionSet(ctx context.Context, sh *shell, o keepRetentionSetOptions) error {
	change := hookOptions{verb: "set", dryRun: o.dryRun}
	change.plan = func(h acts.Hooks, ctx context.Context, root string) (acts.Change, error) {
		return acts.PlanRetention(ctx, h.Shelf, h.Actor, root, o.days)
	}
	hooks, roots, err := hookSetup(sh)
	if err != nil {
		return err
	}
	return changeSettings(ctx, sh, change, hooks, roots, func(w io.Writer, page hookChanges) error {
		out := bufio.NewWriter(w)
		for _, c := range page.Changes {
			file := term.Line(sh.tilde(c.File))
			switch {
			case c.Error != "":
				fmt.Fprintf(out, "%s: %s\n", file, term.Line(c.Error))
			case !c.Changed:
				fmt.Fprintf(out, "%s says %s already.\n", file, plural(o.days, "day"))
			case page.DryRun:
				writeSettingsDiff(out, sh, c, file)
			default:
				fmt.Fprintf(out, "Claude keeps sessions for %s now: %s\n", plural(o.days, "day"), file)
				writeUndoLines(out, sh, c)
			}
		}
		return out.Flush()
	})
}

// noteUnread says which settings do not count, and why.
func noteUnread(sh *shell, problems []ask.Problem) {
	for _, p := range problems {
		sh.note(p.File + " does not count: " + p.Reason)
	}
}
