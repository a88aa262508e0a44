package cli

import (
	"context"
	"fmt"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/shelf"

	"github.com/spf13/cobra"
)

// changing is a command that changes something below Claude's home, or only shows
// what it would change.
type changing struct {
	dryRun bool
}

func (c *changing) register(cmd *cobra.Command, help string) {
	cmd.Flags().BoolVar(&c.dryRun, "dry-run", false, help)
}

// shelf opens what makes the change. An act that a crash interrupted is finished
// first.
func (c changing) shelf(ctx context.Context, sh *shell) (*shelf.Shelf, error) {
	s, err := sh.shelf()
	if err == nil && !c.dryRun {
		err = settleAct(ctx, sh, s)
	}
	return s, err
}

// carryOut makes a planned change, or asks whether it could be made.
func (c changing) carryOut(ctx context.Context, s *shelf.Shelf, p shelf.Plan) (shelf.Act, error) {
	if c.dryRun {
		return shelf.Act{}, s.Check(p)
	}
	return s.Do(ctx, p)
}

// shelf is what makes changes below Claude's home.
func (sh *shell) shelf() (*shelf.Shelf, error) {
	if sh.changes != nil {
		return sh.changes, nil
	}
	dir, err := sh.dirs().Data()
	if err != nil {
		return nil, err
	}
	sh.changes = shelf.New(dir, sh.Now)
	if lost := sh.changes.Journal.Lost(); lost != nil { // said now: a change begins a new journal
		sh.note(lost.Error())
	}
	return sh.changes, nil
}

// noteAltered says what of the journal is not what was written, for those who read more
// of it than its end.
func noteAltered(sh *shell, s *shelf.Shelf) {
	if altered := s.Journal.Altered(); altered != nil {
		sh.note(altered.Error())
	}
}

// actorOf is whoever runs this command.
func actorOf(sh *shell) shelf.Actor {
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if user := sh.Getenv(name); user != "" {
			return shelf.Actor{User: user, From: "cli"}
		}
	}
	return shelf.Actor{From: "cli"}
}

// settleAct finishes what a crash interrupted, and says so.
func settleAct(ctx context.Context, sh *shell, s *shelf.Shelf) error {
	a, err := s.Recover(ctx)
	if err != nil || a == nil {
		return err
	}
	what := fmt.Sprintf("change %d (%s) of %s was interrupted", a.ID, a.Verb, a.Subject())
	switch a.State {
	case shelf.Done:
		sh.note(what + " and has been finished now")
	case shelf.Dropped:
		sh.note(what + " and could not be finished: everything is as it was before")
	default:
		sh.note(what + " and can neither be finished nor undone: " + a.Problem)
	}
	return nil
}

// noteUnfinished says which change a crash interrupted.
func noteUnfinished(sh *shell, s *shelf.Shelf) {
	if left := acts.Unfinished(s); left != "" {
		sh.note(left)
	}
}

// finishInterrupted is settle for what stays: the server and the interface. They
// start without it too, and say why.
func finishInterrupted(ctx context.Context, sh *shell) {
	s, err := sh.shelf()
	if err == nil {
		err = settleAct(ctx, sh, s)
	}
	if err != nil && ctx.Err() == nil {
		sh.note("an interrupted change could not be finished: " + err.Error())
	}
}

// openToChange opens the homes, and finishes what a crash interrupted.
func (sh *shell) openToChange(ctx context.Context, dryRun bool) (*app.App, func(), error) {
	s, err := sh.shelf()
	if err != nil {
		return nil, nil, err
	}
	if !dryRun {
		if err := settleAct(ctx, sh, s); err != nil {
			return nil, nil, err
		}
	}
	return sh.open()
}
