package model

import (
	"context"
	"fmt"
	"io"

	"sesskeep/internal/ask"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/recall"

	"github.com/spf13/cobra"
)

type contextOptions struct{ tokens int }

// ContextCommand is "context".
func ContextCommand(sh *shell.Shell) *cobra.Command {
	var o contextOptions
	cmd := &cobra.Command{
		Use: "context ADDRESS|QUERY", Short: "Print what a new session must know about an old one",
		Long: `Print what a new session of Claude must know to continue the work of an old one: its
goal, the summary of its last compaction, what was decided, the files that it changed,
what was asked, what is open, and how it was left. A QUERY means the session that a
search finds first. Secrets are hidden, and all of it is marked as a quotation.

It covers all projects; -p picks one.

Exit codes: 0 fine · 2 wrong usage · 3 no such session, or several`,
		Example: `  sesskeep context 3987
  sesskeep context "half line" --tokens 4000
  claude -p "$(sesskeep context 3987) Continue with what is open."`,
		Args:              shell.OneArg("address or query"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE:              func(cmd *cobra.Command, args []string) error { return runContext(cmd.Context(), sh, args[0], o) },
	}
	cmd.Flags().IntVar(&o.tokens, "tokens", 2000, "use about `N` tokens, from 500 to 25000")
	return cmd
}

// Context is what a new session must know about an old one.
type Context struct {
	Text string `json:"text"`
	ask.Covered
}

func runContext(ctx context.Context, sh *shell.Shell, about string, o contextOptions) error {
	if o.tokens < recall.LeastTokens || o.tokens > recall.MostTokens {
		return fail.Usage(fmt.Sprintf("--tokens: from %d to %d", recall.LeastTokens, recall.MostTokens), "for example: --tokens 4000")
	}
	_, prices, err := usage.ReadMoney(ctx, sh, usage.MoneyOptions{})
	if err != nil {
		return err
	}
	a, scope, done, err := shell.OpenScope(ctx, sh)
	if err != nil {
		return err
	}
	defer done()
	answer, err := Recall(a, prices).Brief(ctx, recall.Caller{Projects: scope.IDs()}, recall.BriefQuestion{About: about, Tokens: o.tokens})
	if err != nil {
		return err
	}
	done()
	return sh.Out.Print(ctx, output.Listing{Value: Context{answer.Text, answer.Covered}, Render: func(w io.Writer) error {
		_, err := io.WriteString(w, answer.Text)
		return err
	}})
}
