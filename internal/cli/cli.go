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
	"time"

	"github.com/spf13/cobra"

	"sesskeep/internal/host"
)

// Env is the world a command runs in.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Lookup func(string) (string, bool) // of environment variables
	Dir    string                      // working directory, links resolved
	DirErr error                       // why it is not known
	Home   string                      // of the user
	Host   string                      // what this machine calls itself
	Now    func() time.Time
	// Patience is how long a command that somebody looks at waits for the index before
	// it shows what there is; 0: until it is read.
	Patience time.Duration
	// Program is the path under which this program will be found again.
	Program func() (string, error)
	// Exit ends the process when a command does not end after a signal; nil: it
	// is waited for.
	Exit func(code int)
	// Memory sets how much memory the command that runs may take; nil: any.
	Memory func(bytes int64)
}

// System is the world as the operating system gives it.
func System() Env {
	env := Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Lookup: os.LookupEnv, Now: time.Now, Patience: 300 * time.Millisecond,
		Program: host.Program, Memory: limitMemory, Exit: os.Exit,
	}
	env.Home, _ = os.UserHomeDir() // where there is none, flags name the homes
	env.Host, _ = os.Hostname()
	env.Dir, env.DirErr = workingDir()
	return env
}

// Getenv is the value of an environment variable, or "".
func (e Env) Getenv(name string) string {
	value, _ := e.Lookup(name)
	return value
}

// Main runs the command line and gives the exit code.
func Main(args []string, env Env) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
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

// grace is how long a command has to end after a signal.
const grace = 900 * time.Millisecond

// insist ends a process that was told to stop and does not, because it waits
// for something that no context interrupts, such as a key. Who reads the output
// in a pager or talks to a client we started decides for themselves.
func (sh *shell) insist() {
	if sh.Exit == nil {
		return
	}
	time.Sleep(grace)
	if !sh.lent.Load() {
		sh.Exit(130)
	}
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
			if err := sh.configure(cmd); err != nil {
				return err
			}
			sh.start()
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
	{"home", "doctor", "", doctorCommand}, {"home", "check", "", checkCommand}, {"home", "config", "", configCommand},

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
				return usageError{fmt.Sprintf("unknown command %q", strings.Join(args, " ")), `run "sesskeep help"`}
			}
			found.InitDefaultHelpFlag()
			found.InitDefaultVersionFlag()
			return found.Help()
		},
	}
}
