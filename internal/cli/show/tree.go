package show

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"sesskeep"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/draw"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// TreeCommand is "session tree".
func TreeCommand(sh *shell.Shell) *cobra.Command {
	cmd := shell.AddressCommand(sh, "tree", "Draw the branches of a session", func(ctx context.Context, address string) error {
		return runTree(ctx, sh, address)
	})
	cmd.Long = `Draw a session as a tree: a line for each prompt, a line for its answers, and branches
where a prompt was edited, retried or rewound. The conversation that "claude --resume"
would continue is at the left edge.

  ○ prompt   ● answers   ⑂ branches here   ✂ compacted before`
	cmd.Example = "  sesskeep session tree 3987\n  sesskeep session tree 3987 --json"
	return cmd
}

func runTree(ctx context.Context, sh *shell.Shell, address string) error {
	a, s, target, err := readAt(ctx, sh, address)
	if err != nil {
		return err
	}
	defer s.Close()
	t := s.Transcript
	page := talk.TreeOf(s.Ref.ID(), &t.Digest, t.Tree)
	page.Root = target.Store.Root()
	return sh.Out.Print(ctx, output.Listing{
		Value:  page,
		Items:  "turns",
		Render: func(w io.Writer) error { return drawTree(w, sh, t, todoFact(a, target)) },
	})
}

func drawTree(w io.Writer, sh *shell.Shell, t *sesskeep.Transcript, todo string) error {
	out := bufio.NewWriter(w)
	tree := draw.NewTree(t, sh.Out.Screen, sh.Now().Location())
	for _, row := range tree.Rows() {
		fmt.Fprintln(out, tree.Line(row, sh.Out.Screen.Width))
	}
	fmt.Fprintln(out, sh.Out.Screen.Paint(term.Dim, output.Joined(sh.Out.Gap(), tree.Notes(), todo)))
	return out.Flush()
}
