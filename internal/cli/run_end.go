package cli

import (
	"context"
	"errors"
	"fmt"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
)

// endOfMessage says what came of the message that was waited for. A run that failed
// behind its answer failed.
func endOfMessage(ctx context.Context, sh *shell, w watchedRun) error {
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
func endOfRun(ctx context.Context, sh *shell, r *holder.Record) error {
	if sh.out.asJSON() {
		result := runResult{started(r), r.Text, r.Cost, r.Turns, r.Millis, r.API, r.Outcome, r.Error}
		if err := writeJSON(sh.Stdout, result, ""); err != nil {
			return err
		}
	} else if !sh.out.screen.TTY && r.Text != "" {
		if _, err := fmt.Fprintln(sh.Stdout, r.Text); err != nil {
			return err
		}
	}
	err := runFault(r)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && sh.out.asJSON():
		return errors.Join(errShown, err)
	case err != nil:
		return err
	case r.Why != "" && !r.Living():
		sh.note("ended: " + r.Why)
	}
	return nil
}

// runFault is what went wrong with a run; nil: nothing did.
func runFault(r *holder.Record) error {
	switch {
	case r.Error == "":
		return nil
	case r.Outcome == launch.Limited:
		return failTimeout(fmt.Sprintf("run %s: %s", r.ID, r.Error))
	}
	return fmt.Errorf("run %s: %w", r.ID, errors.New(r.Error))
}
