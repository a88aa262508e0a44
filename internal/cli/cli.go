// Package cli is the command line of sesskeep.
//
// A command is three things in one file: a constructor with help and flags, a
// struct of its options, and a run function that takes only those and a shell.
// The shell carries the world: streams, environment, clock, and the global
// flags. Errors meet people in one function, report.
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

	"github.com/spf13/cobra"
)

// Main runs the command line and gives the exit code.
func Main(args []string, env Env) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, args, env)
}

// run is Main, ended by a context instead of a signal.
func run(ctx context.Context, args []string, env Env) int {
	sh := newShell(env)
	if env.DirErr != nil {
		sh.missed = append(sh.missed, env.DirErr)
	}
	defer context.AfterFunc(ctx, sh.insist)()
	root := rootFor(sh, args)
	root.SetArgs(args)
	root.SetIn(env.Stdin)
	root.SetOut(sh.Stdout)
	root.SetErr(sh.Stderr)
	err := root.ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // whatever it stumbled over, it was told to stop
	}
	return sh.finish(err)
}

// rootFor is the root with the one command that args are for, or with all where
// that is not a command: to make all of them takes longer than to run most.
func rootFor(sh *shell, args []string) *cobra.Command {
	root := newRoot(sh, func(b *topCommand) bool {
		return slices.Contains(args, b.name) || b.alias != "" && slices.Contains(args, b.alias)
	})
	if found, _, err := root.Find(args); err == nil && found != root {
		return root
	}
	return newRoot(sh, allCommands)
}

func allCommands(*topCommand) bool { return true }

// newRoot makes the root with the commands that are wanted.
func newRoot(sh *shell, wanted func(*topCommand) bool) *cobra.Command {
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
				sh.Memory(memoryOf(cmd))
			}
			sh.out.detect()
			if err := sh.checkFlags(cmd); err != nil || !sh.flags.demo.on {
				return err
			}
			_, err := sh.demoHome() // before anything is read that belongs to it
			return err
		},
		SilenceUsage:      true,
		SilenceErrors:     true,
		Args:              noArgs,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	sh.flags.register(root)
	sh.out.flags.register(root.PersistentFlags())
	bareCommand(sh, root)
	root.SetHelpCommand(helpCommand())
	root.Version = version().String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(flagError)
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) { hideRefused(cmd); help(cmd, args) })
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
	complete(root, "format", forms...)
	_ = root.RegisterFlagCompletionFunc("project", sh.completeProjects)
	return root
}

// topCommand is a command right below the root.
type topCommand struct {
	group, name, alias string
	make               func(*shell) *cobra.Command
}

// topCommands are all of them.
var topCommands = []topCommand{
	{"read", "ls", "list", lsCommand}, {"read", "show", "", showCommand}, {"read", "search", "", searchCommand},
	{"read", "session", "", sessionCommand}, {"read", "project", "", projectCommand}, {"read", "file", "", fileCommand},
	{"read", "usage", "", usageCommand}, {"read", "stats", "", statsCommand}, {"read", "digest", "", digestCommand},
	{"read", "export", "", exportCommand}, {"read", "watch", "", watchCommand}, {"read", "ps", "", psCommand}, {"read", "log", "", logCommand},

	{"run", "run", "", runCommand}, {"run", "inbox", "", inboxCommand}, {"run", "resume", "", resumeCommand},

	{"home", "history", "", historyCommand}, {"home", "command", "", commandCommand}, {"home", "storage", "", storageCommand},
	{"home", "doctor", "", doctorCommand}, {"home", "check", "", checkCommand},

	{"change", "keep", "", keepCommand}, {"change", "trash", "", trashCommand}, {"change", "clean", "", cleanCommand},
	{"change", "repair", "", repairCommand}, {"change", "hook", "", hookCommand}, {"change", "undo", "", undoCommand},

	{"serve", "ui", "", uiCommand}, {"serve", "pair", "", pairCommand}, {"serve", "serve", "", serveCommand},
	{"serve", "token", "", tokenCommand}, {"serve", "api", "", apiCommand},

	{"", "completion", "", completionCommand}, {"", "version", "", versionCommand},
}

// helpCommand is cobra's, but for a command that is not there.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show help for a command",
		Example: "  sesskeep help show\n  sesskeep help session tree",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return failUsage(fmt.Sprintf("unknown command %q", strings.Join(args, " ")), `run "sesskeep help"`)
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}

func versionCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the version", Args: noArgs,
		Example: "  sesskeep version\n  sesskeep version --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := version()
			return sh.out.print(cmd.Context(), listing{value: v, render: func(w io.Writer) error {
				_, err := fmt.Fprintln(w, v)
				return err
			}})
		},
	}
}
