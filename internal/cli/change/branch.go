package change

import (
	"context"
	"fmt"
	"io"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"
	"sesskeep/internal/transfer"

	"github.com/spf13/cobra"
)

type branchOptions struct {
	address  string
	title    string
	changing shell.Changing
}

// BranchCommand is "session fork".
func BranchCommand(sh *shell.Shell) *cobra.Command {
	var o branchOptions
	cmd := shell.AddressCommand(sh, "fork", "Make a session of a conversation, or of what leads to a message", func(ctx context.Context, address string) error {
		o.address = address
		return runBranch(ctx, sh, o)
	})
	cmd.Use, cmd.Aliases = "fork SESSION:LEAF|SESSION#MESSAGE", []string{"branch"}
	cmd.Long = `Turn a conversation that was abandoned, because its prompt was edited, retried or
rewound, into a session of its own that "claude --resume" can continue. "session
conversations" lists them. The original session stays as it is, and
"sesskeep undo" removes the new one.

With #MESSAGE the new session has what leads to that message, and ends with it: after a
prompt, or after an answer with the results of its tool calls.

The agents and saved outputs of the conversation stay with the original session.

Exit codes: 0 fine · 2 no conversation named · 3 no such session or conversation ·
4 not allowed`
	cmd.Example = `  sesskeep session conversations 3987
  sesskeep session fork 3987:fb6d --title "the other way"
  sesskeep session fork 3987#4122
  sesskeep resume @last`
	cmd.Flags().StringVar(&o.title, "title", "", "`TITLE` of the new session")
	o.changing.Register(cmd, "only show what would be made")
	return cmd
}

// Branched is what --json writes.
type Branched struct {
	transfer.BranchPlan
	DryRun bool `json:"dryRun"`
	Act    int  `json:"actId,omitempty"` // for undo
}

func runBranch(ctx context.Context, sh *shell.Shell, o branchOptions) error {
	a, target, err := sh.Find(ctx, o.address)
	if err != nil {
		return err
	}
	if target.Leaf == "" && target.Message == "" {
		return fail.Usage("session fork: which conversation?", `"sesskeep session conversations `+o.address+`" lists them: give SESSION:LEAF`)
	}
	s, err := o.changing.Shelf(ctx, sh)
	if err != nil {
		return err
	}
	plan, err := a.Transfer.Branch(ctx, target, transfer.BranchOptions{Title: o.title, Actor: shell.Actor(sh)})
	if err != nil {
		return err
	}
	act, err := o.changing.Do(ctx, s, plan.Plan)
	if err != nil {
		return err
	}
	b := Branched{BranchPlan: plan, DryRun: o.changing.DryRun, Act: act.ID}
	return sh.Out.Print(ctx, output.Listing{Value: b, Render: func(w io.Writer) error {
		text := fmt.Sprintf("A new session with %s, %s, of conversation %s would be made.",
			output.Plural(b.Prompts, "prompt"), output.Plural(b.Records, "record"), output.Head(b.Leaf, 8))
		if !b.DryRun {
			text = fmt.Sprintf("Session %s: %s, %s, of conversation %s.\nResume it: %s\nUndo this: %s",
				b.Session, output.Plural(b.Prompts, "prompt"), output.Plural(b.Records, "record"), output.Head(b.Leaf, 8),
				sh.Command("resume %s", b.Session+target.Suffix), sh.Command("undo %d", b.Act))
		}
		_, err := fmt.Fprintln(w, term.Clean(text))
		return err
	}})
}
