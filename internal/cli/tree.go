package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"sesskeep"
	"sesskeep/internal/draw"
	"sesskeep/internal/talk"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func treeCommand(sh *shell) *cobra.Command {
	cmd := addressCommand(sh, "tree", "Draw the branches of a session", func(ctx context.Context, address string) error {
		return runTree(ctx, sh, address)
	})
	cmd.Long = `Draw a session as a tree: a line for each prompt, a line for its answers, and branches
where a prompt was edited, retried or rewound. The conversation that "claude --resume"
would continue is at the left edge.

  ○ prompt   ● answers   ⑂ branches here   ✂ compacted before`
	cmd.Example = "  sesskeep session tree 3987\n  sesskeep session tree 3987 --json"
	return cmd
}

func runTree(ctx context.Context, sh *shell, address string) error {
	s, target, err := readAt(ctx, sh, address)
	if err != nil {
		return err
	}
	defer s.Close()
	t := s.Transcript
	page := talk.TreeOf(s.Ref.ID(), &t.Digest, t.Tree)
	page.Root = target.Store.Root()
	return sh.out.print(ctx, listing{
		value:  page,
		items:  "turns",
		render: func(w io.Writer) error { return drawTree(w, sh, t) },
	})
}

func drawTree(w io.Writer, sh *shell, t *sesskeep.Transcript) error {
	out := bufio.NewWriter(w)
	tree := draw.NewTree(t, sh.out.screen, sh.Now().Location())
	for _, row := range tree.Rows() {
		fmt.Fprintln(out, tree.Line(row, sh.out.screen.Width))
	}
	fmt.Fprintln(out, sh.out.screen.Paint(term.Dim, tree.Notes()))
	return out.Flush()
}
