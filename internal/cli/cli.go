// Package cli is the command line of sesskeep: the root command, which finds the command
// that the arguments name and makes only that one.
//
// The commands are in the packages below, grouped by subject. A command is three things in
// one file: a constructor with help and flags, a struct of its options, and a run function
// that takes only those and a shell.Shell.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"sesskeep/internal/cli/backup"
	"sesskeep/internal/cli/change"
	"sesskeep/internal/cli/configure"
	"sesskeep/internal/cli/doctor"
	"sesskeep/internal/cli/document"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/hook"
	"sesskeep/internal/cli/insight"
	"sesskeep/internal/cli/list"
	"sesskeep/internal/cli/model"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/project"
	"sesskeep/internal/cli/run"
	"sesskeep/internal/cli/serve"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/show"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/cli/watch"

	"github.com/spf13/cobra"
)

// Main runs the command line and returns the exit code.
func Main(args []string, env shell.Env) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return execute(ctx, args, env)
}

// execute is Main, ended by a context instead of a signal.
func execute(ctx context.Context, args []string, env shell.Env) int {
	sh := shell.New(env)
	if env.DirErr != nil {
		sh.Miss(env.DirErr)
	}
	defer context.AfterFunc(ctx, func() { shell.Insist(sh) })()
	root := rootFor(sh, args)
	root.SetArgs(args)
	root.SetIn(env.Stdin)
	root.SetOut(sh.Stdout)
	root.SetErr(sh.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // its own error is only a consequence
	}
	return sh.Finish(err)
}

// rootFor is the root with the one command that args are for, or with all where
// that is not a command: to make all of them takes longer than to run most.
func rootFor(sh *shell.Shell, args []string) *cobra.Command {
	root := newRoot(sh, func(b *topCommand) bool {
		return slices.Contains(args, b.name) || b.alias != "" && slices.Contains(args, b.alias)
	})
	if found, _, err := root.Find(args); err == nil && found != root {
		return root
	}
	return newRoot(sh, allCommands)
}

func allCommands(*topCommand) bool { return true }

// Commands returns the root with all commands, for programs that document them.
func Commands() *cobra.Command { return newRoot(shell.New(shell.System()), allCommands) }

// newRoot makes the root with the commands that are wanted.
func newRoot(sh *shell.Shell, wanted func(*topCommand) bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "sesskeep",
		Short: "Understand, search and keep the sessions of Claude Code",
		Long: `sesskeep reads what Claude Code keeps under ~/.claude: every conversation, its
branches, its sub-agents, and what it cost. Reading never changes anything there.

An address names a session by its UUID or the first characters of it (4 or more),
by its title in quotes, by its slug, by @last or by @live. Behind it /AGENT names a
sub-agent, :LEAF one of its conversations, #UUID a message. Where several homes have
the session, @HOME or @HOME.MACHINE comes last; without it the most recently active one
is meant.

Without a command, on a terminal, it opens an interface to all of this: ? shows its keys.
The examples use a sample home: with --demo they work as they are written.

Exit codes: 0 fine · 1 failed · 2 wrong usage · 3 not found, or more than one ·
4 not allowed · 5 conflict: in use, or changed by others · 6 done for some only ·
7 damage found · 8 timed out · 130 interrupted`,
		Example: `  sesskeep                         look around
  sesskeep ls                      sessions of the project you are in
  sesskeep ls --all --since 2d     what was touched in the last two days, everywhere
  sesskeep show 3987               read a session
  sesskeep --demo ls               try it on a sample home`,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if sh.Memory != nil {
				sh.Memory(shell.MemoryOf(cmd))
			}
			if err := sh.Configure(cmd); err != nil {
				return err
			}
			sh.Out.Detect()
			if err := sh.CheckFlags(cmd); err != nil || !sh.Flags.Demo.On {
				return err
			}
			_, err := shell.DemoHome(sh) // before anything is read that belongs to it
			return err
		},
		SilenceUsage:      true,
		SilenceErrors:     true,
		Args:              shell.NoArgs,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	sh.Flags.Register(root)
	sh.Out.Flags.Register(root.PersistentFlags())
	bareCommand(sh, root)
	root.SetHelpCommand(helpCommand())
	root.Version = shell.Version().String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(shell.FlagError)
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) { shell.HideRefused(cmd); help(cmd, args) })
	root.AddGroup(
		&cobra.Group{ID: "read", Title: "Reading:"},
		&cobra.Group{ID: "run", Title: "Running:"},
		&cobra.Group{ID: "home", Title: "The home:"},
		&cobra.Group{ID: "change", Title: "Changing it:"},
		&cobra.Group{ID: "serve", Title: "In the browser, and for other programs:"},
	)
	for i := range topCommands {
		if b := &topCommands[i]; wanted(b) {
			c := b.make(sh)
			c.GroupID = b.group
			root.AddCommand(c)
		}
	}
	shell.Complete(root, "format", output.Forms...)
	_ = root.RegisterFlagCompletionFunc("project", sh.CompleteProjects)
	return root
}

// topCommand is a command right below the root.
type topCommand struct {
	group, name, alias string
	make               func(*shell.Shell) *cobra.Command
}

// topCommands are all of them.
var topCommands = []topCommand{
	{"read", "ls", "list", list.LsCommand}, {"read", "show", "", show.Command}, {"read", "search", "", list.SearchCommand},
	{"read", "session", "", sessionCommand}, {"read", "project", "", project.Command}, {"read", "file", "", show.FileCommand}, {"read", "blame", "", show.BlameCommand},
	{"read", "usage", "", usageCommand}, {"read", "stats", "", usage.StatsCommand}, {"read", "digest", "", usage.DigestCommand},
	{"read", "export", "", document.ExportCommand}, {"read", "share", "", document.ShareCommand}, {"read", "watch", "", watch.Command}, {"read", "ps", "", watch.PsCommand}, {"read", "log", "", change.LogCommand},
	{"read", "context", "", model.ContextCommand}, {"read", "insights", "", insight.Command}, {"read", "sql", "", insight.SQLCommand},

	{"run", "run", "", run.Command}, {"run", "inbox", "", run.InboxCommand}, {"run", "resume", "", run.ResumeCommand},

	{"home", "history", "", project.HistoryCommand}, {"home", "todo", "", project.TodoCommand}, {"home", "command", "", project.CommandsCommand}, {"home", "storage", "", doctor.StorageCommand},
	{"home", "doctor", "", doctor.Command}, {"home", "check", "", doctor.CheckCommand}, {"home", "scan", "", doctor.ScanCommand}, {"home", "config", "", configure.Command},

	{"change", "backup", "", backup.Command}, {"change", "keep", "", keepCommand}, {"change", "trash", "", change.TrashCommand}, {"change", "clean", "", change.CleanCommand},
	{"change", "repair", "", doctor.RepairCommand}, {"change", "mask", "", doctor.MaskCommand}, {"change", "hook", "", hook.Command}, {"change", "undo", "", change.UndoCommand},

	{"serve", "ui", "", serve.UICommand}, {"serve", "pair", "", serve.PairCommand}, {"serve", "serve", "", serve.Command},
	{"serve", "token", "", serve.TokenCommand}, {"serve", "api", "", serve.APICommand}, {"serve", "mcp", "", model.MCPCommand},

	{"", "completion", "", completionCommand}, {"", "version", "", versionCommand},
}

// usageCommand is "usage" with the commands that change settings for its status line.
func usageCommand(sh *shell.Shell) *cobra.Command {
	cmd := usage.Command(sh)
	for _, sub := range cmd.Commands() {
		if sub.Name() == "statusline" {
			sub.AddCommand(hook.StatuslineCommands(sh)...)
		}
	}
	return cmd
}

// helpCommand is cobra's, but for a command that is not there.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show help for a command",
		Example: "  sesskeep help show\n  sesskeep help session tree",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fail.Usage(fmt.Sprintf("unknown command %q", strings.Join(args, " ")), `run "sesskeep help"`)
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

func versionCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version", Args: shell.NoArgs,
		Example: "  sesskeep version\n  sesskeep version --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := shell.Version()
			return sh.Out.Print(cmd.Context(), output.Listing{Value: v, Render: func(w io.Writer) error {
				_, err := fmt.Fprintln(w, v)
				return err
			}})
		},
	}
}
