package shell

import (
	"context"
	"fmt"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/shelf"

	"github.com/spf13/cobra"
)

// Changing is a command that changes something below Claude's home, or only shows
// what it would change.
type Changing struct {
	DryRun bool
}

// Register adds --dry-run.
func (c *Changing) Register(cmd *cobra.Command, help string) {
	cmd.Flags().BoolVar(&c.DryRun, "dry-run", false, help)
}

// Shelf opens what makes the change. An act that a crash interrupted is finished
// first.
func (c Changing) Shelf(ctx context.Context, sh *Shell) (*shelf.Shelf, error) {
	s, err := sh.Shelf()
	if err == nil && !c.DryRun {
		err = Recover(ctx, sh, s)
	}
	return s, err
}

// Do makes a planned change, or asks whether it could be made.
func (c Changing) Do(ctx context.Context, s *shelf.Shelf, p shelf.Plan) (shelf.Act, error) {
	if c.DryRun {
		return shelf.Act{}, s.Check(p)
	}
	return s.Do(ctx, p)
}

// Shelf is what makes changes below Claude's home.
func (sh *Shell) Shelf() (*shelf.Shelf, error) {
	if sh.changes != nil {
		return sh.changes, nil
	}
	dir, err := sh.Dirs().Data()
	if err != nil {
		return nil, err
	}
	sh.changes = shelf.New(dir, sh.Now)
	if lost := sh.changes.Journal.Lost(); lost != nil { // said now: a change begins a new journal
		sh.Note(lost.Error())
	}
	return sh.changes, nil
}

// NoteAltered says what of the journal is not what was written, for those who read more
// of it than its end.
func NoteAltered(sh *Shell, s *shelf.Shelf) {
	if altered := s.Journal.Altered(); altered != nil {
		sh.Note(altered.Error())
	}
}

// Actor is the user who runs this command.
func Actor(sh *Shell) shelf.Actor {
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if user := sh.Getenv(name); user != "" {
			return shelf.Actor{User: user, From: "cli"}
		}
	}
	return shelf.Actor{From: "cli"}
}

// Recover finishes what a crash interrupted, and says so.
func Recover(ctx context.Context, sh *Shell, s *shelf.Shelf) error {
	a, err := s.Recover(ctx)
	if err != nil || a == nil {
		return err
	}
	what := fmt.Sprintf("change %d (%s) of %s was interrupted", a.ID, a.Verb, a.Subject())
	switch a.State {
	case shelf.Done:
		sh.Note(what + " and has been finished now")
	case shelf.Dropped:
		sh.Note(what + " and could not be finished: everything is as it was before")
	default:
		sh.Note(what + " and can neither be finished nor undone: " + a.Problem)
	}
	return nil
}

// NoteUnfinished says which change a crash interrupted.
func NoteUnfinished(sh *Shell, s *shelf.Shelf) {
	if left := acts.Unfinished(s); left != "" {
		sh.Note(left)
	}
}

// RecoverOrNote is settle for what stays: the server and the interface. They
// start without it too, and say why.
func RecoverOrNote(ctx context.Context, sh *Shell) {
	s, err := sh.Shelf()
	if err == nil {
		err = Recover(ctx, sh, s)
	}
	if err != nil && ctx.Err() == nil {
		sh.Note("an interrupted change could not be finished: " + err.Error())
	}
}

// OpenToChange opens the homes, and finishes what a crash interrupted.
func (sh *Shell) OpenToChange(ctx context.Context, dryRun bool) (*app.App, func(), error) {
	s, err := sh.Shelf()
	if err != nil {
		return nil, nil, err
	}
	if !dryRun {
		if err := Recover(ctx, sh, s); err != nil {
			return nil, nil, err
		}
	}
	return sh.Open()
}
