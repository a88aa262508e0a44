package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"sesskeep/internal/app"
	"sesskeep/internal/host"
	"sesskeep/internal/resume"
	"sesskeep/internal/tui"

	"github.com/spf13/cobra"
)

type tuiOptions struct {
	mouse bool
}

// bareCommand makes the program without a command open the interface on a
// terminal. Elsewhere there is nobody to show it to.
func bareCommand(sh *shell, root *cobra.Command) {
	var o tuiOptions
	root.Flags().BoolVar(&o.mouse, "mouse", false, "in the interface: wheel and clicks, instead of selecting text")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if sh.asks() && dumbTerminal(sh) {
			return usageError{"the interface needs a terminal that can move its cursor (TERM=dumb cannot)", `run "sesskeep ls" for your sessions`}
		}
		if !interactive(sh) {
			_ = cmd.Help()
			return usageError{"no command given", `run "sesskeep ls" for your sessions`}
		}
		return runTUI(cmd.Context(), sh, o)
	}
}

// interactive reports whether an interface can be shown: both ends are a
// terminal that can move its cursor.
func interactive(sh *shell) bool {
	return sh.Stdout.TTY() && sh.asks() && !dumbTerminal(sh)
}

// dumbTerminal reports whether the terminal can only write line after line.
func dumbTerminal(sh *shell) bool { return sh.Getenv("TERM") == "dumb" }

func runTUI(ctx context.Context, sh *shell, o tuiOptions) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	_, prices, err := sh.money(ctx, moneyOptions{})
	if err != nil {
		return err
	}
	finishInterrupted(ctx, sh)
	a, err := openLive(sh)
	if err != nil {
		return err
	}
	askToKeep(ctx, sh, a)
	show := onScreen(sh, a)
	show.Mouse, show.Prices = o.mouse, prices
	show.Thrift, show.Managed = thrift, host.ManagedDir()
	show.Actor = actorOf(sh)
	show.Actor.From = "tui"
	if !sh.flags.demo.on {
		show.Runs, _ = sh.runs() // without a place for them there are none
		show.Dir = sh.Dir
	}
	show.Resume = func(next tui.Next) error { return sh.goOn(ctx, a, next) }
	show.Prefs, show.Keep = readPrefs(sh), sh.keepPrefs
	return tui.Run(ctx, show)
}

// thrift has garbage collected when it is as much as what is in use. What reads a home
// first is faster with much of it, and nothing that stays needs that.
func thrift() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
}

// onScreen is how the interface is shown here.
func onScreen(sh *shell, a *app.App) tui.Options {
	return tui.Options{App: a, Stdin: sh.Stdin, Stdout: sh.lend(), Env: findTerminal(sh), Screen: sh.screen, Now: sh.Now, Scope: sh.scope}
}

// goOn resumes a session on the terminal of the interface. It is found by its row
// and not by its id: two homes can have the same.
func (sh *shell) goOn(ctx context.Context, a *app.App, next tui.Next) error {
	p, err := a.Resume.PlanSession(ctx, next.Session, resume.Options{Fork: next.Fork})
	if err != nil {
		return err
	}
	// The interface has asked, but something can have come up since.
	if err := consent(sh, p, next.Agreed, "sesskeep resume "+p.Session+" --yes does it all the same"); err != nil {
		return err
	}
	err = runClaude(sh, p)
	var code exitCode
	if errors.As(err, &code) {
		return fmt.Errorf("claude ended with exit code %d", int(code))
	}
	return err
}

// findTerminal is what a terminal is known by.
func findTerminal(sh *shell) []string {
	var env []string
	for _, name := range []string{
		"TERM", "COLORTERM", "TERM_PROGRAM", "TMUX", "STY", "SSH_TTY", "WT_SESSION",
		"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
	} {
		if value, ok := sh.Lookup(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
