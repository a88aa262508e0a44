package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
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
	"sesskeep/internal/tui/pages"

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
	show.Mouse, show.Prices, show.ShareLink = o.mouse, prices, linkMaker(sh)
	show.Thrift, show.Managed = shell.Thrift, host.ManagedDir()
	show.Actor = shell.Actor(sh)
	show.Actor.From = "tui"
	show.Runs, _ = run.Open(sh) // without a place for them there are none
	show.Dir = sh.Dir
	if sh.Flags.Demo.On {
		if show.Dir, err = run.DemoWork(sh); err != nil {
			return err
		}
	}
	show.Resume = func(next tui.Next) error { return resumeSession(ctx, sh, a, next) }
	show.Prefs, show.Keep = readPrefs(sh), func(p pages.Prefs) error { return keepPrefs(sh, p) }
	return tui.Run(ctx, show)
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
