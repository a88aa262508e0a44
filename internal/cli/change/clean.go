package change

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/manage"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type cleanOptions struct {
	act        actOptions
	olderThan  string
	largerThan shell.SizeFlag
	empty      bool
	unneeded   []string
}

// cleaningFlags are the flags that choose sessions to clean up.
var cleaningFlags = append([]string{"older-than", "larger-than", "empty"}, choosingFlags...)

// CleanCommand is "clean".
func CleanCommand(sh *shell.Shell) *cobra.Command {
	var o cleanOptions
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Free disk space: move old sessions and leftovers to the trash",
		Long: `Without flags, show what could be cleaned up and how much space it takes up: files that
nothing needs, with why they are safe to remove, and old sessions, with how many of them
have a copy. Nothing is changed.

With flags, move the sessions that match all of them to the trash, in all projects unless
-p names one; --unneeded also moves files that nothing needs any more. Each session is
copied first. Sessions that are archived, starred or in use stay. The trash keeps
everything until "trash purge", which deletes the copies too; "undo" and "trash restore"
put it back.

You see what will be moved and are asked first; scripts pass --yes.

Exit codes: 0 fine, also if there was nothing to do · 1 failed · 2 wrong usage ·
5 changed meanwhile · 6 done for some only`,
		Example: `  sesskeep clean
  sesskeep clean --older-than 90d --dry-run
  sesskeep clean --older-than 30d --larger-than 10M --source agent
  sesskeep clean --empty --yes
  sesskeep clean --unneeded
  sesskeep clean --unneeded=debug,todos --older-than 7d`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			sessions := false
			cmd.Flags().Visit(func(f *pflag.Flag) { sessions = sessions || slices.Contains(cleaningFlags, f.Name) })
			if !sessions && len(o.unneeded) == 0 {
				return runCleanMap(cmd.Context(), sh)
			}
			if len(o.unneeded) > 0 { // then --older-than alone is about that
				only := true
				cmd.Flags().Visit(func(f *pflag.Flag) {
					only = only && (f.Name == "older-than" || !slices.Contains(cleaningFlags, f.Name))
				})
				sessions = !only
			}
			return runClean(cmd.Context(), sh, o, sessions)
		},
	}
	o.act.register(cmd)
	f := cmd.Flags()
	f.StringVar(&o.olderThan, "older-than", "", "sessions without activity for `TIME`: 30d, 36h, 6mo")
	f.Var(&o.largerThan, "larger-than", "sessions with a transcript of at least `SIZE`: 10M")
	f.BoolVar(&o.empty, "empty", false, "sessions without any messages")
	f.StringSliceVar(&o.unneeded, "unneeded", nil, "files that nothing needs any more, of these `KINDS`: "+strings.Join(manage.UnneededKinds(), ", ")+"; default: all")
	f.Lookup("unneeded").NoOptDefVal = "all"
	f.BoolVar(&o.act.force, "force", false, "include sessions that are in use")
	shell.Complete(cmd, "unneeded", append(manage.UnneededKinds(), "all")...)
	return cmd
}

func runClean(ctx context.Context, sh *shell.Shell, o cleanOptions, sessions bool) error {
	options := manage.CleanOptions{Unneeded: o.unneeded}
	if slices.Contains(o.unneeded, "all") {
		options.Unneeded = manage.UnneededKinds()
	}
	for _, kind := range options.Unneeded {
		if err := shell.OneOf("unneeded", kind, manage.UnneededKinds()...); err != nil {
			return err
		}
	}
	var idle time.Time
	if o.olderThan != "" {
		var err error
		if idle, err = shell.ParseAgo(o.olderThan, sh.Now()); err != nil {
			return fail.Usage(fmt.Sprintf("--older-than: %v", err), "write 30d, 36h or 6mo")
		}
		options.Quiet = idle
	}
	a, done, err := sh.OpenToChange(ctx, o.act.dryRun)
	if err != nil {
		return err
	}
	defer done()
	if sessions {
		sh.Flags.All = sh.Flags.All || sh.Flags.Project == "" && sh.Flags.Scope == ""
		o.act.chosen = true
		s, err := selectedSessions(ctx, sh, a, o.act)
		if err != nil {
			return err
		}
		s.Filter.Idle, s.Filter.MinSize, s.Filter.Empty = idle, int64(o.largerThan), o.empty
		if o.empty && s.Filter.Source == "" {
			s.Filter.Source = "all"
		}
		options.Sessions = &s
	}
	v := actVerb{done: "moved to the trash", act: func(ctx context.Context, a *app.App, d acts.Doing, _ manage.Selection, _ []string) (acts.Outcome, error) {
		return a.Manage.Clean(ctx, d, options)
	}}
	d := acts.Doing{Actor: shell.Actor(sh), DryRun: o.act.dryRun, Force: o.act.force}
	if !o.act.yes && !o.act.dryRun {
		if ok, err := agreed(ctx, sh, a, v, d, manage.Selection{}, nil); err != nil || !ok {
			return err
		}
	}
	out, err := a.Manage.Clean(ctx, d, options)
	if err != nil {
		return err
	}
	return printOutcome(ctx, sh, v.done, out)
}

// runCleanMap shows what could be cleaned up.
func runCleanMap(ctx context.Context, sh *shell.Shell) error {
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	page, err := a.Manage.CleanMap(ctx)
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "unneeded", Rows: true,
		Table:  func(s term.Screen) *term.Table { return cleanTable(s, page) },
		Render: func(w io.Writer) error { return writeCleanMap(w, sh, page) },
	})
}

// cleanTable has a row for each flag of clean that would move something.
func cleanTable(s term.Screen, page manage.CleanPage) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "flag", Style: term.Yellow}, {Title: "count", Right: true}, {Title: "size", Right: true}, {Title: "what"}, {Title: "why", Flex: true, Style: term.Dim},
	}}
	row := func(flag string, count int, size int64, what, why string) {
		t.Row(output.Cells([]string{flag, strconv.Itoa(count), strconv.FormatInt(size, 10), what, why})...)
	}
	for _, u := range page.Unneeded {
		row("--unneeded="+u.Kind, u.Units, u.Size, u.What, u.Why)
	}
	for _, o := range page.Sessions {
		flag, what := offered(o)
		row(flag, o.Sessions, o.Size, "sessions "+what, term.Count(o.Copied)+" with a copy now")
	}
	return t
}

// offered is the flag that chooses sessions, and which those are.
func offered(o manage.OldSession) (flag, what string) {
	if o.Days > 0 {
		return fmt.Sprintf("--older-than=%dd", o.Days), fmt.Sprintf("in which nothing happened for %d days", o.Days)
	}
	return "--empty", "in which nothing was said"
}

func writeCleanMap(w io.Writer, sh *shell.Shell, page manage.CleanPage) error {
	out := bufio.NewWriter(w)
	if len(page.Unneeded) == 0 && len(page.Sessions) == 0 {
		fmt.Fprintln(out, "There is nothing to clean up.")
		return out.Flush()
	}
	if len(page.Unneeded) > 0 {
		fmt.Fprintf(out, "Safe to remove (%s), %s:\n", sh.Command("clean --unneeded"), term.Bytes(page.Size))
		for _, u := range page.Unneeded {
			fmt.Fprintf(out, "  %s %s %s because %s\n", sh.Out.Screen.Paint(term.Yellow, term.Pad(u.Kind, 14)), term.Pad(term.Bytes(u.Size), 8),
				fmt.Sprintf("%d %s,", u.Units, u.What), u.Why)
		}
	}
	if len(page.Sessions) > 0 {
		fmt.Fprintln(out, "Sessions that could be moved to the trash, each copied first:")
	}
	for _, o := range page.Sessions {
		flag, what := offered(o)
		fmt.Fprintf(out, "  %s %s %s %s, %s with a copy now\n", sh.Out.Screen.Paint(term.Yellow, term.Pad(flag, 18)), term.Pad(term.Bytes(o.Size), 8), output.Plural(o.Sessions, "session"), what, term.Count(o.Copied))
	}
	return out.Flush()
}
