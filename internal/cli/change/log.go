package change

import (
	"context"
	"errors"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/draw"
	"sesskeep/internal/follow"
	"sesskeep/internal/live"
	"sesskeep/internal/runs"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type logOptions struct {
	sessions bool
	session  string
}

// LogCommand is "log".
func LogCommand(sh *shell.Shell) *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log [SESSION]",
		Short: "Show what sesskeep changed, or what happened to sessions",
		Long: `Show what sesskeep changed, newest first: what, when, which session or file, who did
it and from where. "undo" undoes changes by their numbers.

With --sessions, show when sessions appeared, what they did and when they ended, as far
as sesskeep was watching at the time ("watch", "ps --watch"). The start and end of a run
are always known. Here the latest comes last; -n shows only the last ones.

SESSION is an address, or the beginning of the id of a session that is gone. With
--sessions it is an id or its beginning, followed by @HOME if several homes have it.`,
		Example: `  sesskeep log
  sesskeep log 3987
  sesskeep log --since today --json
  sesskeep log --sessions
  sesskeep log --sessions 3987 --since today`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return shell.OneArg("session")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.session = args[0]
			}
			return runLog(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.sessions, "sessions", false, "what happened to sessions: appeared, state, moved, gone")
	return cmd
}

func runLog(ctx context.Context, sh *shell.Shell, o logOptions) error {
	if !o.sessions {
		since, until, err := sh.Span()
		if err != nil {
			return err
		}
		return runActs(ctx, sh, actsOptions{command: "log", session: o.session, since: since, until: until})
	}
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	f := follow.LifeFilter{Session: o.session, Limit: limit}
	if f.Since, f.Until, err = sh.Span(); err != nil {
		return err
	}
	roots, err := sh.Roots()
	if err != nil {
		return err
	}
	f.Roots = sh.Absolute(roots)
	if strings.Contains(o.session, "@") {
		a, err := sh.OpenWith(app.Options{})
		if err != nil {
			return err
		}
		f.Session, f.Roots = a.Catalog.InHome(o.session)
	}
	data, _ := sh.Dirs().Data() // without one there are no runs
	history, errRuns := runs.Living{Data: data, Now: sh.Now}.History(ctx)
	if errRuns != nil {
		sh.Note(errRuns.Error())
	}
	f.Runs = history
	page, err := follow.Lifecycle(ctx, sh.Dirs().Lifecycle(), f)
	if errors.Is(err, sesskeep.ErrNotFound) {
		return fail.Hint(err, "the log of these homes has nothing about that session")
	}
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "events",
		Table: func(s term.Screen) *term.Table { return logTable(s, page.Events, sh.Now().Location()) },
		Empty: `The log is empty. "sesskeep watch" and "sesskeep ps --watch" write to it while they run.`,
	})
}

func logTable(s term.Screen, events []live.Record, where *time.Location) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "time", Style: term.Dim, Min: 20}, {Title: "session", Style: term.Yellow, Min: output.Uncut}, {Title: "event"},
		{Title: "state", Min: 13}, {Title: "was", Style: term.Dim}, {Title: "pid", Right: true}, {Title: "why", Style: term.Dim, Flex: true},
	}}
	for i := range events {
		r := &events[i]
		cells := []term.Cell{
			{Text: r.Time.UTC().Format(time.RFC3339)}, {Text: string(r.Session)}, {Text: string(r.Kind)},
			{Text: string(r.State)}, {Text: string(r.Was)}, {Text: output.NonZero64(int64(r.PID))}, {Text: output.Joined(" ", arrow(string(r.Next)), r.Why)},
		}
		if s.TTY {
			glyph, style := draw.State(s, string(r.State))
			cells[0].Text = r.Time.In(where).Format("2006-01-02 15:04:05")
			cells[1].Text = output.Head(string(r.Session), 8)
			cells[3] = term.Cell{Text: output.Joined(" ", glyph, string(r.State)), Style: style}
		}
		t.Row(cells...)
	}
	return t
}

// arrow points to where a session went on.
func arrow(next string) string {
	if next == "" {
		return ""
	}
	return "-> " + next
}
