package change

import (
	"context"
	"io"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/manage"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// LabelCommands change sessions: what users add to them, and where they lie.
func LabelCommands(sh *shell.Shell) []*cobra.Command {
	return []*cobra.Command{
		renameCommand(sh), tagCommand(sh), starCommand(sh, true), starCommand(sh, false), noteCommand(sh), sourceCommand(sh),
		archiveCommand(sh), unarchiveCommand(sh), sessionTrashCommand(sh), moveCommand(sh),
	}
}

func renameCommand(sh *shell.Shell) *cobra.Command {
	var o manage.RenameOptions
	cmd := &cobra.Command{
		Use: "rename SESSION TITLE…", Short: "Give a session a title", ValidArgsFunction: sh.CompleteSessions,
		Long: `Give a session a title. It is stored in the data of sesskeep and stays when the session
is resumed. If no client is using the session, the title is also added to the transcript,
as /rename would do, so that the picker of "claude --resume" shows it; --local leaves the
transcript alone. If the session is renamed in Claude Code later, that name is shown.

"undo" brings back the earlier title. A name cannot be removed from a transcript, so undo
adds the earlier title there.

Exit codes: 0 fine, also if it has that title already · 2 wrong usage · 3 not found ·
5 changed by others`,
		Example: `  sesskeep session rename 3987 "The half line"
  sesskeep session rename @last The half line --local
  sesskeep session rename 3987 --clear`,
	}
	var clear, dryRun bool
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.Title = strings.Join(args[min(1, len(args)):], " ")
		if len(args) == 0 || (strings.TrimSpace(o.Title) == "") != clear {
			return fail.Usage("rename: which session, and to what?", "usage: "+cmd.UseLine())
		}
		v := actVerb{done: "renamed", act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, _ []string) (acts.Outcome, error) {
			return a.Manage.Rename(ctx, d, s, o)
		}}
		return runAct(cmd.Context(), sh, v, actOptions{addresses: args[:1], dryRun: dryRun}, nil)
	}
	cmd.Flags().BoolVar(&o.Local, "local", false, "do not write the title into the transcript")
	cmd.Flags().BoolVar(&clear, "clear", false, "remove the title")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only show what would be done")
	return cmd
}

func tagCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "tag", Short: "Add tags to sessions, or take them away", Args: shell.NoArgs,
		Example: "  sesskeep session tag add later 3987 4861\n  sesskeep session tag rm later 3987\n  sesskeep ls --filter tag:later",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("tag: add or rm?", `run "sesskeep session tag --help"`)
		},
	}
	tag := func(name, short, done string, act func(a *app.App, ctx context.Context, d acts.Doing, s manage.Selection, tags []string) (acts.Outcome, error)) *cobra.Command {
		return actCommand(sh, actVerb{
			use: name + " TAG[,TAG…] [SESSION…]", short: short, done: done, own: 1,
			long: short + `. Tags that Claude Code wrote itself are shown beside
yours, and stay as they are. Upper and lower case are the same.`,
			example: "  sesskeep session tag " + name + " later 3987\n  sesskeep session tag " + name + " parser,later --filter 'project:parser after:7d'",
			act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, own []string) (acts.Outcome, error) {
				return act(a, ctx, d, s, strings.Split(own[0], ","))
			},
		})
	}
	cmd.AddCommand(
		tag("add", "Add tags to sessions", "tagged", func(a *app.App, ctx context.Context, d acts.Doing, s manage.Selection, tags []string) (acts.Outcome, error) {
			return a.Manage.Tag(ctx, d, s, tags, nil)
		}),
		tag("rm", "Take tags away from sessions", "untagged", func(a *app.App, ctx context.Context, d acts.Doing, s manage.Selection, tags []string) (acts.Outcome, error) {
			return a.Manage.Tag(ctx, d, s, nil, tags)
		}))
	return cmd
}

func starCommand(sh *shell.Shell, starred bool) *cobra.Command {
	v := actVerb{
		use: "star [SESSION…]", short: "Give sessions a star", done: "starred",
		long:    `Give sessions a star. "ls --filter is:starred" lists those that have one.`,
		example: "  sesskeep session star 3987\n  sesskeep session star --filter tag:parser",
		act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, _ []string) (acts.Outcome, error) {
			return a.Manage.Star(ctx, d, s, starred)
		},
	}
	if !starred {
		v.use, v.short, v.done = "unstar [SESSION…]", "Remove the star from sessions", "without a star now"
		v.long, v.example = "Remove the star from sessions.", "  sesskeep session unstar 3987\n  sesskeep session unstar --filter is:starred"
	}
	return actCommand(sh, v)
}

func sourceCommand(sh *shell.Shell) *cobra.Command {
	return actCommand(sh, actVerb{
		use: "source WHO [SESSION…]", short: "Set the source of sessions", done: "moved to that source", own: 1,
		long: `Set the source of sessions: user, agent or helper. Lists and counts then use that instead
of what the transcripts say; "own" goes back to what they say.`,
		example: "  sesskeep session source helper 3987\n  sesskeep session source agent --filter 'project:nightly started:program' --all\n  sesskeep session source own 3987",
		act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, own []string) (acts.Outcome, error) {
			source := ask.Source(own[0])
			if source == "own" {
				source = ""
			} else if err := shell.OneOf("WHO", own[0], "user", "agent", "helper", "own"); err != nil {
				return acts.Outcome{}, err
			}
			return a.Manage.SetSource(ctx, d, s, source)
		},
	})
}

func noteCommand(sh *shell.Shell) *cobra.Command {
	var text string
	var clear, stdin bool
	cmd := actCommand(sh, actVerb{
		use: "note [SESSION…]", short: "Add a note to sessions", done: "noted",
		long: `Add a note to sessions: --text gives it, --stdin reads it from standard input, and
--clear removes it. A new note replaces the earlier one, which "undo" brings back.
"ls --columns note" shows notes, "ls --filter has:note" lists the sessions with one.`,
		example: `  sesskeep session note 3987 --text "waits for the new parser"
  sesskeep session note 3987 --stdin < note.txt
  sesskeep session note 3987 --clear`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&text, "text", "", "text of the `NOTE`")
			f.BoolVar(&stdin, "stdin", false, "read the note from standard input")
			f.BoolVar(&clear, "clear", false, "remove the note")
		},
		act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, _ []string) (acts.Outcome, error) {
			return a.Manage.Note(ctx, d, s, text)
		},
	})
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := 0
		for _, is := range []bool{text != "", stdin, clear} {
			if is {
				given++
			}
		}
		if given != 1 {
			return fail.Usage("session note: which text?", "give one of --text, --stdin and --clear")
		}
		if stdin {
			data, err := io.ReadAll(io.LimitReader(sh.Stdin, maxNote))
			if err != nil {
				return err
			}
			text = string(data)
		}
		return run(cmd, args)
	}
	return cmd
}

// maxNote is more than a note may have.
const maxNote = 1 << 20
