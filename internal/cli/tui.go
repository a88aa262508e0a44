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
			return failUsage("the interface needs a terminal that can move its cursor (TERM=dumb cannot)", `run "sesskeep ls" for your sessions`)
		}
		if !interactive(sh) {
			_ = cmd.Help()
			return failUsage("no command given", `run "sesskeep ls" for your sessions`)
		}
		return runTUI(cmd.Context(), sh, o)
	}
}

func runTUI(ctx context.Context, sh *shell, o tuiOptions) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	_, prices, err := readMoney(ctx, sh, moneyOptions{})
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
		show.Runs, _ = openRuns(sh) // without a place for them there are none
		show.Dir = sh.Dir
	}
	show.Resume = func(next tui.Next) error { return resumeSession(ctx, sh, a, next) }
	show.Prefs, show.Keep = readPrefs(sh), func(p tui.Prefs) error { return keepPrefs(sh, p) }
	return tui.Run(ctx, show)
}

// thrift has garbage collected when it is as much as what is in use. What reads a home
// first is faster with much of it, and nothing that stays needs that.
func thrift() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
}

// resumeSession resumes a session on the terminal of the interface. It is found by its row
// and not by its id: two homes can have the same.
func resumeSession(ctx context.Context, sh *shell, a *app.App, next tui.Next) error {
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
