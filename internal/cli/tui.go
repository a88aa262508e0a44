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
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/keep"
	"sesskeep/internal/cli/picker"
	"sesskeep/internal/cli/run"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/host"
	"sesskeep/internal/resume"
	"sesskeep/internal/tui"

	"github.com/spf13/cobra"
)

type tuiOptions struct {
	mouse bool
}

// bareCommand makes the program without a command open the interface on a
// terminal, and print help elsewhere.
func bareCommand(sh *shell.Shell, root *cobra.Command) {
	var o tuiOptions
	root.Flags().BoolVar(&o.mouse, "mouse", false, "in the interface: wheel and clicks, instead of selecting text")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if sh.Asks() && picker.Dumb(sh) {
			return fail.Usage("the interface needs a terminal that can move its cursor (TERM=dumb cannot)", `run "sesskeep ls" for your sessions`)
		}
		if !picker.Interactive(sh) {
			_ = cmd.Help()
			return fail.Usage("no command given", `run "sesskeep ls" for your sessions`)
		}
		return runTUI(cmd.Context(), sh, o)
	}
}

func runTUI(ctx context.Context, sh *shell.Shell, o tuiOptions) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	_, prices, err := usage.ReadMoney(ctx, sh, usage.MoneyOptions{})
	if err != nil {
		return err
	}
	shell.RecoverOrNote(ctx, sh)
	a, err := shell.OpenLive(sh)
	if err != nil {
		return err
	}
	keep.Ask(ctx, sh, a)
	show := picker.Screen(sh, a)
	show.Mouse, show.Prices = o.mouse, prices
	show.Thrift, show.Managed = thrift, host.ManagedDir()
	show.Actor = shell.Actor(sh)
	show.Actor.From = "tui"
	if !sh.Flags.Demo.On {
		show.Runs, _ = run.Open(sh) // without a place for them there are none
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
func resumeSession(ctx context.Context, sh *shell.Shell, a *app.App, next tui.Next) error {
	p, err := a.Resume.PlanSession(ctx, next.Session, resume.Options{Fork: next.Fork})
	if err != nil {
		return err
	}
	// The interface has asked, but something can have come up since.
	if err := run.Consent(sh, p, next.Agreed, "sesskeep resume "+p.Session+" --yes does it all the same"); err != nil {
		return err
	}
	err = run.RunClient(sh, p)
	var code fail.Exit
	if errors.As(err, &code) {
		return fmt.Errorf("claude ended with exit code %d", int(code))
	}
	return err
}
