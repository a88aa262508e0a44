package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"

	"github.com/spf13/cobra"
)

func serveStopCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "stop", Short: "Stop the running server", Args: shell.NoArgs,
		Long: `Stop the server of this user, in the background or not, and wait until it is gone.
What it is doing comes to its end first.

Exit codes: 0 it is stopped · 3 none was running`,
		Example: "  sesskeep serve stop\n  sesskeep --demo serve stop",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runServeStop(cmd.Context(), sh) },
	}
}

// Stopped is the server that was stopped.
type Stopped struct {
	URL string `json:"url"`
	PID int    `json:"pid"`
}

// stopTime is how long a server may take to end.
const stopTime = 15 * time.Second

func runServeStop(ctx context.Context, sh *shell.Shell) error {
	server, err := runningServer(sh)
	if err != nil {
		return err
	}
	station, _, err := Station(sh)
	if err != nil {
		return err
	}
	if err := server.call(ctx, "POST", "/api/v1/stop", struct{}{}, new(any)); err != nil {
		return err
	}
	for end := time.Now().Add(stopTime); ; {
		if _, runs := station.Running(); !runs {
			break
		}
		if time.Now().After(end) {
			return fail.Hint(errors.New("the server does not end"), fmt.Sprintf("it is process %d", server.PID))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: Stopped{server.URL, server.PID},
		Render: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "the server at %s is stopped\n", server.URL)
			return err
		},
	})
}
