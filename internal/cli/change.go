package cli

import (
	"context"

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
