package run

import (
	"context"
	"errors"
	"fmt"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
)

// endOfMessage says what came of the message that was waited for. A run that failed
// behind its answer failed.
func endOfMessage(ctx context.Context, sh *shell.Shell, w watchedRun) error {
	run := *w.run
	switch r := w.response; {
	case r == nil: // what the run answered before is not the answer
		run.Text = ""
		if run.Error == "" {
			run.Outcome, run.Error = launch.Failed, "it ended, and did not say what came of the message"
		}
	case r.Error != "" || run.Living():
		run.Text, run.Outcome, run.Error = r.Text, r.Outcome, r.Error
	default:
		run.Text = r.Text
	}
	return endOfRun(ctx, sh, &run)
}

// endOfRun says what came of a run that was shown.
func endOfRun(ctx context.Context, sh *shell.Shell, r *holder.Record) error {
	if sh.Out.JSON() {
		result := Result{started(r), r.Text, r.Cost, r.Turns, r.Millis, r.API, r.Outcome, r.Error}
		if err := output.WriteAnswer(sh.Stdout, result, ""); err != nil {
			return err
		}
	} else if !sh.Out.Screen.TTY && r.Text != "" {
		if _, err := fmt.Fprintln(sh.Stdout, r.Text); err != nil {
			return err
		}
	}
	err := runFault(r)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && sh.Out.JSON():
		return errors.Join(fail.ErrShown, err)
	case err != nil:
		return err
	case r.Why != "" && !r.Living():
		sh.Note("ended: " + r.Why)
	}
	return nil
}

// runFault is what went wrong with a run; nil: nothing did.
func runFault(r *holder.Record) error {
	switch {
	case r.Error == "":
		return nil
	case r.Outcome == launch.Limited:
		return fail.Timeout(fmt.Sprintf("run %s: %s", r.ID, r.Error))
	}
	return fmt.Errorf("run %s: %w", r.ID, errors.New(r.Error))
}
