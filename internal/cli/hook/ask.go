package hook

import (
	"context"
	"encoding/json"

	"sesskeep/internal/cli/run"
	"sesskeep/internal/cli/serve"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/runs"

	"github.com/spf13/cobra"
)

func hookAskCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "ask", Short: "Ask for permission in the inbox (Claude Code runs this as a hook)",
		Long: `Put what Claude Code asks for permission into the inbox, wait for an answer, and print it
for the client. The client shows its own dialog at the same time, and the first answer
counts. Without a server, without an answer, or after an error it prints nothing and
decides nothing.`,
		Example:            "  sesskeep hook ask < hook.json",
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer func() { _ = recover() }() // as with reports
			runHookAsk(cmd.Context(), sh)
			return nil
		},
	}
}

// runHookAsk stays silent unless somebody answers.
func runHookAsk(ctx context.Context, sh *shell.Shell) {
	input, err := readWithin(sh.Stdin, maxHookInput, hookTime)
	var q runs.HookQuestion
	if err != nil || json.Unmarshal(input, &q) != nil {
		return
	}
	station, _, err := serve.Station(sh)
	if err != nil {
		return
	}
	if _, running := station.Running(); !running {
		return
	}
	r, err := run.Open(sh)
	if err != nil {
		return
	}
	if said := r.AnswerHook(ctx, q); said != nil {
		_, _ = sh.Stdout.Write(append(said, '\n')) // a client that does not read it has gone
	}
}
