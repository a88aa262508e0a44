package keep

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/hook"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/host"
	"sesskeep/internal/keeping"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type keepExpiringOptions struct {
	days   int
	unkept bool
}

func keepExpiringCommand(sh *shell.Shell) *cobra.Command {
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
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runKeepExpiring(cmd.Context(), sh, o) },
	}
	cmd.Flags().IntVar(&o.days, "days", 7, "only sessions with at most `N` days left; 0: all")
	cmd.Flags().BoolVar(&o.unkept, "unkept", false, "leave out sessions that have a copy")
	return cmd
}

// ExpiringPage is what --json writes.
type ExpiringPage struct {
	Sessions []keeping.ExpiringSession `json:"sessions"`
	Total    int                       `json:"total"`
	ask.Covered
}

func runKeepExpiring(ctx context.Context, sh *shell.Shell, o keepExpiringOptions) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	if o.days < 0 {
		return fail.Usage("--days must not be negative", "0 lists all")
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	var within time.Duration
	if o.days > 0 { // a session with 3 days left has between 3 and 4
		within = time.Duration(o.days+1)*24*time.Hour - 1
	}
	list, covered, err := a.Keep.Expiring(ctx, keeping.ExpiringOptions{Within: within, Managed: host.ManagedDir(), Unkept: o.unkept})
	if err != nil {
		return err
	}
	page := ExpiringPage{list, len(list), ask.NewCovered(covered)}
	if limit > 0 && limit < len(list) {
		page.Sessions = list[:limit]
	}
	empty := "No session expires."
	if o.days > 0 {
		empty = fmt.Sprintf("No session expires within %s.", output.Plural(o.days, "day"))
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "sessions",
		Table:  func(s term.Screen) *term.Table { return expiringTable(s, page.Sessions) },
		Footer: output.Plural(page.Total, "session"),
		Empty:  empty,
	})
}

// unkeptSoon is how far ahead lists warn.
const unkeptSoon = 7 * 24 * time.Hour

// WarnUnkept warns a person about sessions without a copy that will be deleted soon. It
// ignores errors: the command is about something else.
func WarnUnkept(ctx context.Context, sh *shell.Shell, a *app.App) {
	if !sh.Out.ForPeople() || sh.Out.Flags.Quiet {
		return
	}
	n, stopped, err := a.Keep.Unkept(ctx, unkeptSoon, host.ManagedDir())
	switch {
	case err != nil:
	case stopped != "":
		sh.AtEnd(func() error { sh.Note("sesskeep has stopped keeping copies: " + stopped); return nil })
	case n > 0:
		text := output.Plural(n, "session") + " without a copy will be deleted by Claude within 7 days: " + sh.Command("keep on")
		sh.AtEnd(func() error { sh.Note(text); return nil })
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
		t.Row(output.Cells([]string{id, strconv.Itoa(e.Days), kept, e.Project, e.Title, size})...)
	}
	return t
}

func keepRetentionCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retention",
		Short: "Show how long Claude keeps sessions",
		Long: `Show after how many days Claude Code deletes sessions, and which settings file says so.
"retention set N" changes the number in the settings of the home.`,
		Example: "  sesskeep keep retention\n  sesskeep keep retention set 365",
		Args:    shell.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeepRetention(cmd.Context(), sh) },
	}
	cmd.AddCommand(keepRetentionSetCommand(sh))
	return cmd
}

func runKeepRetention(ctx context.Context, sh *shell.Shell) error {
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	page, err := a.Keep.Retentions(ctx, host.ManagedDir())
	if err != nil {
		return err
	}
	NoteUnread(sh, page.Problems)
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "homes",
		Table: func(s term.Screen) *term.Table { return retentionTable(sh, s, page.Homes) },
	})
}

func retentionTable(sh *shell.Shell, s term.Screen, list []keeping.Retention) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "home", Min: output.Uncut}, {Title: "days", Right: true}, {Title: "set in", Flex: true, Min: 20}, {Title: "last clean-up"},
	}}
	for _, r := range list {
		home, file, last := r.Root, r.File, ""
		if !r.LastSweep.IsZero() {
			last = r.LastSweep.Format(time.RFC3339)
		}
		if s.TTY {
			home, file = sh.Tilde(home), sh.Tilde(file)
			if last != "" {
				last = term.Ago(r.LastSweep.Time, sh.Now())
			}
			if file == "" {
				file = "nowhere: the default"
			}
		}
		t.Row(output.Cells([]string{home, strconv.Itoa(r.Days), file, last})...)
	}
	return t
}

type keepRetentionSetOptions struct {
	days   int
	dryRun bool
}

func keepRetentionSetCommand(sh *shell.Shell) *cobra.Command {
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
		Args:    shell.OneArg("number of days"),
		RunE: func(cmd *cobra.Command, args []string) error {
			days, err := strconv.Atoi(args[0])
			if err != nil || days < 1 {
				return fail.Usage(fmt.Sprintf("%q is not a number of days", args[0]), "give a whole number of at least 1; 3650 is as good as never")
			}
			o.days = days
			return runKeepRetentionSet(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	return cmd
}

func runKeepRetentionSet(ctx context.Context, sh *shell.Shell, o keepRetentionSetOptions) error {
	change := hook.Options{Verb: "set", DryRun: o.dryRun}
	change.Plan = func(h acts.Hooks, ctx context.Context, root string) (acts.Change, error) {
		return acts.PlanRetention(ctx, h.Shelf, h.Actor, root, o.days)
	}
	hooks, roots, err := hook.Setup(sh)
	if err != nil {
		return err
	}
	days := output.Plural(o.days, "day")
	return hook.ChangeSettings(ctx, sh, change, hooks, roots, hook.Words{
		Changed: "Claude keeps sessions for " + days + " now: %s", Unchanged: "%s says " + days + " already.",
	})
}

// NoteUnread says which settings do not count, and why.
func NoteUnread(sh *shell.Shell, problems []ask.Problem) {
	for _, p := range problems {
		sh.Note(p.File + " does not count: " + p.Reason)
	}
}
