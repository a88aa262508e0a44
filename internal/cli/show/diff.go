package show

import (
	"context"
	"fmt"
	"io"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type diffOptions struct {
	one, other string
	tools      string
	turns      int
}

// DiffCommand is "session diff".
func DiffCommand(sh *shell.Shell) *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Show two conversations from the point where they part",
		Long: `Show how two conversations differ: two of one session, each as SESSION:LEAF ("session
branches" lists them), or a session and its fork. What they have in common at the
beginning is only counted.

Exit codes: 0 fine · 2 two addresses are needed · 3 no such session or conversation`,
		Example: `  sesskeep session conversations 3987
  sesskeep session diff 3987:fb6d 3987:72cf
  sesskeep session diff 3987 0f26 --turns 4    a session and its fork`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fail.Usage("session diff: which two conversations?", `"sesskeep session conversations ADDRESS" lists them`)
			}
			return nil
		},
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.one, o.other = args[0], args[1]
			return runDiff(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().StringVar(&o.tools, "tools", "card", "show tool calls in `DETAIL`: line, card or full")
	cmd.Flags().IntVar(&o.turns, "turns", 0, "only the first `N` turns of each")
	shell.Complete(cmd, "tools", "line", "card", "full")
	return cmd
}

func runDiff(ctx context.Context, sh *shell.Shell, o diffOptions) error {
	if err := shell.OneOf("tools", o.tools, "line", "card", "full"); err != nil {
		return err
	}
	if o.turns < 0 {
		return fail.Usage("--turns must not be negative", "leave it out to see everything")
	}
	a, one, err := sh.Find(ctx, o.one)
	if err != nil {
		return err
	}
	_, other, err := sh.Find(ctx, o.other)
	if err != nil {
		return err
	}
	c, err := a.Talk.Compare(ctx, one, other, talk.CompareOptions{Turns: o.turns})
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{Value: c, Render: func(w io.Writer) error { return writeDiff(w, sh, &c, o) }})
}

func writeDiff(w io.Writer, sh *shell.Shell, c *talk.Comparison, o diffOptions) error {
	fmt.Fprintln(w, sh.Out.Screen.Paint(term.Dim, output.Plural(c.Shared, "turn")+" in common"))
	for i, side := range []*talk.Side{&c.A, &c.B} {
		title := fmt.Sprintf("%s %s:%s  %s", []string{"a", "b"}[i], output.Head(side.SessionID, 8), output.Head(side.Leaf, 8), output.Plural(side.Turns, "turn"))
		fmt.Fprintf(w, "\n%s\n", sh.Out.Screen.Paint(term.Bold, term.Line(title)))
		r := newRenderer(w, sh.Out.Screen, renderOptions{Thinking: "peek", Tools: o.tools, Location: sh.Now().Location()})
		r.show(side.Blocks)
		if err := r.out.Flush(); err != nil {
			return err
		}
		if side.After > 0 {
			fmt.Fprintln(w, sh.Out.Screen.Paint(term.Dim, output.Plural(side.After, "more turn")))
		}
	}
	return nil
}
