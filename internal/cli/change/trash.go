package change

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/list"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/manage"
	"sesskeep/internal/term"
	"sesskeep/internal/trash"

	"github.com/spf13/cobra"
)

func archiveCommand(sh *shell.Shell) *cobra.Command {
	return actCommand(sh, actVerb{
		use: "archive [SESSION…]", short: "Archive sessions, so that lists leave them out", done: "archived", forced: true,
		long: `Archive sessions. Lists, counts and searches leave them out, along with their agents, and
lists say how many were left out. "ls --archived", archived:yes in a search and the
address of a session still find them, and their cost still counts. Their files stay where
they are. A copy of each is kept for good, even after Claude Code deletes the files: a
session that cannot be copied completely is not archived.`,
		example: "  sesskeep session archive 4861\n  sesskeep session archive --filter 'before:2026-09-01 -is:starred' --all\n  sesskeep ls --all --archived",
		act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, _ []string) (acts.Outcome, error) {
			return a.Manage.Archive(ctx, d, s)
		},
	})
}

func unarchiveCommand(sh *shell.Shell) *cobra.Command {
	return actCommand(sh, actVerb{
		use: "unarchive [SESSION…]", short: "Show archived sessions in lists again", done: "back in lists",
		long:    "Show archived sessions in lists and counts again. Their copies stay.",
		example: "  sesskeep session unarchive 4861\n  sesskeep session unarchive --archived --all --yes",
		act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, _ []string) (acts.Outcome, error) {
			return a.Manage.Unarchive(ctx, d, s)
		},
	})
}

func sessionTrashCommand(sh *shell.Shell) *cobra.Command {
	return actCommand(sh, actVerb{
		use: "trash [SESSION…]", short: "Move sessions to the trash", done: "moved to the trash", forced: true,
		long: `Move sessions to the trash, each with everything that belongs to it: its agents, saved
tool results, tasks, plans and file history. The trash is in the data directory of
sesskeep, and nothing in it is deleted until you say so. "trash restore" or "undo" puts a
session back as it was.

A session that is in use is refused: one that a client has open, or that was written to
in the last minute. --force moves it anyway.`,
		example: "  sesskeep session trash 4861 a168\n  sesskeep session trash --filter 'size:>10M before:2026-09-01' --all --dry-run\n  sesskeep trash restore 4861",
		act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, _ []string) (acts.Outcome, error) {
			return a.Manage.Trash(ctx, d, s)
		},
	})
}

// TrashCommand is "trash" with its subcommands.
func TrashCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "trash", Short: "List the trash, restore sessions, or delete them for good", Args: shell.NoArgs,
		Example: "  sesskeep session trash 4861        move one there\n  sesskeep trash ls\n  sesskeep trash restore 4861\n  sesskeep trash purge 4861",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("trash: which subcommand?", `"sesskeep trash --help" lists them`)
		},
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "ls", Aliases: []string{"list"}, Short: "List what is in the trash, the newest first", Args: shell.NoArgs,
			Example: "  sesskeep trash ls\n  sesskeep trash ls --json=id,title,trashedAt,fileSize",
			RunE:    func(cmd *cobra.Command, _ []string) error { return runTrashLs(cmd.Context(), sh) },
		},
		trashRestoreCommand(sh), trashPurgeCommand(sh))
	return cmd
}

func runTrashLs(ctx context.Context, sh *shell.Shell) error {
	a, err := sh.OpenWith(app.Options{})
	if err != nil {
		return err
	}
	page, err := a.Trash.List(ctx)
	if err != nil {
		return err
	}
	for _, p := range page.Problems {
		sh.Note("trash: " + p.File + ": " + p.Reason)
	}
	err = sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "trash",
		Table:  func(s term.Screen) *term.Table { return trashTable(s, page.Trash, sh.Now()) },
		Footer: fmt.Sprintf("%s in the trash · %s", output.Plural(page.Total, "session"), term.Bytes(page.Size)),
		Empty:  "The trash is empty.",
	})
	if err == nil && page.Partial {
		return fail.Partial("not all that was trashed can be read as it was")
	}
	return err
}

func trashTable(s term.Screen, list []trash.Trashed, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Yellow, Min: output.Uncut}, {Title: "title", Flex: true, Min: 24}, {Title: "trashed", Right: true},
		{Title: "size", Right: true}, {Title: "agents", Right: true}, {Title: "who", Style: term.Dim}, {Title: "from", Style: term.Dim}, {Title: "project", Style: term.Cyan},
	}}
	for i := range list {
		r := &list[i]
		cells := []term.Cell{
			{Text: cmp.Or(r.ID, r.Name)}, {Text: r.Title}, {Text: r.TrashedAt.UTC().Format(time.RFC3339)}, {Text: strconv.FormatInt(r.Size, 10)},
			{Text: strconv.Itoa(r.Agents)}, {Text: r.Actor.User}, {Text: r.Actor.From}, {Text: r.ProjectPath},
		}
		if s.TTY {
			cells[0].Text, cells[2].Text, cells[3].Text, cells[4].Text = cmp.Or(output.Head(r.ID, 8), r.Kind), term.Ago(r.TrashedAt.Time, now), term.Bytes(r.Size), output.NonZero(r.Agents)
		}
		t.Row(cells...)
	}
	return t
}

// trashVerb is a command about sessions in the trash.
func trashVerb(sh *shell.Shell, use, short, done string, run func(t *trash.Trash, ctx context.Context, d acts.Doing, ids []string) (acts.Outcome, error)) (*cobra.Command, *actOptions) {
	o := &actOptions{}
	cmd := &cobra.Command{
		Use: use + " [SESSION…|-]", Short: short,
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return shell.CompleteTrash(sh, cmd, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			a, finish, err := sh.OpenToChange(ctx, o.dryRun)
			if err != nil {
				return err
			}
			defer finish()
			if args, err = trashed(ctx, sh, a, o, args); err != nil {
				return err
			}
			d := acts.Doing{Actor: shell.Actor(sh), DryRun: o.dryRun}
			if use == "purge" && !o.yes && !o.dryRun {
				if ok, err := agreedToPurge(ctx, sh, a, d, args); err != nil || !ok {
					return err
				}
			}
			out, err := run(a.Trash, ctx, d, args)
			if err != nil {
				return err
			}
			return printOutcome(ctx, sh, done, out)
		},
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would be done")
	cmd.Flags().BoolVar(&o.everything, "all", false, "everything in the trash")
	cmd.Flags().StringVar(&o.ls.Filter, "filter", "", "what matches these `WORDS`: of titles, ids and project paths")
	return cmd, o
}

// trashed are the names of what addresses and flags choose in the trash. "-" reads
// addresses from standard input.
func trashed(ctx context.Context, sh *shell.Shell, a *app.App, o *actOptions, args []string) ([]string, error) {
	names := addresses(sh, args)
	if !o.everything && o.ls.Filter == "" {
		if len(args) == 0 {
			return nil, fail.Usage("which sessions?", `"sesskeep trash ls" lists what is in the trash`)
		}
		return names, nil
	}
	if len(args) > 0 {
		return nil, fail.Usage("give addresses, or --all or --filter, not both", `"sesskeep trash ls" lists what is in the trash`)
	}
	q, err := list.ParseQuery(sh, o.ls.Filter)
	if err != nil {
		return nil, err
	}
	if len(q.Filters) > 0 {
		return nil, fail.Usage("--filter: the trash is searched by words only", "give words of titles, ids and project paths")
	}
	page, err := a.Trash.List(ctx)
	if err != nil {
		return nil, err
	}
	words := q.Matcher()
	for i := range page.Trash {
		t := &page.Trash[i]
		if q.Empty() || words.Line(slices.Values([]string{t.ID, t.Title, t.Slug, t.ProjectPath, t.Kind})) {
			names = append(names, t.Name)
		}
	}
	return names, nil
}

func trashRestoreCommand(sh *shell.Shell) *cobra.Command {
	cmd, _ := trashVerb(sh, "restore", "Restore sessions from the trash", "restored", (*trash.Trash).Restore)
	cmd.Long = `Put sessions from the trash back where they were, byte for byte and with their
permissions. Nothing is overwritten: identical files are left alone, and if an existing
file differs, nothing is changed. The files get the current time, so that Claude Code's
next cleanup does not delete them.

Exit codes: 0 fine · 3 not in the trash · 5 a different file is there now ·
6 done for some only`
	cmd.Example = "  sesskeep trash restore 4861\n  sesskeep trash restore 4861 a168 --dry-run"
	return cmd
}

func trashPurgeCommand(sh *shell.Shell) *cobra.Command {
	cmd, o := trashVerb(sh, "purge", "Delete sessions in the trash for good", "removed for good", (*trash.Trash).Purge)
	cmd.Long = `Delete sessions in the trash for good, with their copies and the titles, tags and notes
you added. This cannot be undone. You are asked first; scripts pass --yes.

The prompts that you typed stay in history.jsonl and its copies, and titles and notes in
the journal. "session purge" removes those too; it also takes sessions in the trash.

Exit codes: 0 fine · 2 no terminal to ask on · 3 not in the trash · 6 done for some only`
	cmd.Example = "  sesskeep trash purge 4861\n  sesskeep trash purge 4861 --dry-run\n  sesskeep trash purge --all\n  sesskeep trash purge --filter parser --yes"
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	return cmd
}

// agreedToPurge shows what would be lost, and asks.
func agreedToPurge(ctx context.Context, sh *shell.Shell, a *app.App, d acts.Doing, args []string) (bool, error) {
	if !sh.Asks() {
		return false, fail.Usage("purge cannot be undone, and there is no terminal to ask on", "pass --yes, or --dry-run to see what would be deleted")
	}
	d.DryRun = true
	out, err := a.Trash.Purge(ctx, d, args)
	if err != nil || out.Changed == 0 {
		return err == nil, err // the act itself reports what is wrong
	}
	if err := writeOutcome(sh.Stdout, sh, "removed for good", out); err != nil {
		return false, err
	}
	if out.Changed == 1 {
		return sh.Yes(ctx), nil
	}
	count := strconv.Itoa(out.Changed)
	answer, ok := sh.Prompt(ctx, shell.OneLine(sh.Stdin), "This cannot be undone. Type "+count+" to delete them: ")
	return ok && answer == count, nil
}
