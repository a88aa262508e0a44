package project

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/relocate"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type moveOptions struct {
	from, to      string
	dryRun, force bool
}

func projectMoveCommand(sh *shell.Shell) *cobra.Command {
	var o moveOptions
	cmd := &cobra.Command{
		Use: "mv OLD NEW", Short: "Follow a folder that was moved, with its sessions",
		Long: `After you have moved a folder from OLD to NEW, move its sessions too, so that
"claude --resume" finds them there. This covers the directory in which Claude Code keeps
them, with its memory, the project's entry in .claude.json, and the prompts in
history.jsonl, and also the folders below OLD (/w/app2 is not below /w/app). OLD can also
be the name of a project.

Transcripts are moved and never rewritten. In history.jsonl and .claude.json only the
paths change; every other byte stays the same. It is refused while a client is running in
that home. "undo" moves everything back and keeps what the client has written since.

Exit codes: 0 fine · 2 wrong usage · 3 no home knows that folder · 4 not allowed ·
5 a client is running, or a session is in both places`,
		Example: `  sesskeep project mv ~/src/shop ~/work/shop --dry-run
  sesskeep project mv ~/src/shop ~/work/shop
  sesskeep project mv shop-api .`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fail.Usage("project mv: from which folder, and to which?", "usage: "+cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.from, o.to = args[0], args[1]
			return runProjectMove(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	cmd.Flags().BoolVar(&o.force, "force", false, "even if there is no folder at NEW")
	return cmd
}

// MovedPage is what --json writes.
type MovedPage struct {
	Homes  []relocate.MovedProject `json:"homes"`
	Total  int                     `json:"total"`
	DryRun bool                    `json:"dryRun"`
}

func runProjectMove(ctx context.Context, sh *shell.Shell, o moveOptions) error {
	to := sh.Absolute([]string{o.to})[0]
	real, err := filepath.EvalSymlinks(to)
	if err == nil {
		to = real // as the client sees it
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, err := os.Stat(to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if (err != nil || !info.IsDir()) && !o.force {
		return fail.Usage("project mv: there is no folder at "+to, "move the folder first; --force continues without it")
	}
	a, done, err := sh.OpenToChange(ctx, o.dryRun)
	if err != nil {
		return err
	}
	defer done()
	from, err := movedFrom(ctx, sh, a, o.from)
	if err != nil {
		return err
	}
	list, err := a.Relocate.Project(ctx, acts.Doing{Actor: shell.Actor(sh), DryRun: o.dryRun}, from, to)
	if err != nil {
		return err
	}
	page := MovedPage{list, len(list), o.dryRun}
	return sh.Out.Print(ctx, output.Listing{Value: page, Items: "homes", Render: func(w io.Writer) error { return writeMoved(w, sh, page) }})
}

// movedFrom is the path that a folder had: as it is written, or that of a project.
func movedFrom(ctx context.Context, sh *shell.Shell, a *app.App, word string) (string, error) {
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	if p, err := c.FindProject(word); err == nil && p.Path != "" {
		return p.Path, nil
	}
	return sh.Absolute([]string{word})[0], nil
}

func writeMoved(w io.Writer, sh *shell.Shell, page MovedPage) error {
	out := bufio.NewWriter(w)
	line := func(indent, format string, args ...any) {
		fmt.Fprintln(out, indent+term.Line(fmt.Sprintf(format, args...)))
	}
	for _, p := range page.Homes {
		word := "Moved"
		if page.DryRun {
			word = "Would move"
		}
		line("", "%s in %s: %s is %s", word, sh.Tilde(p.Root), sh.Tilde(p.From), sh.Tilde(p.To))
		for _, d := range p.Directories {
			more := ""
			if d.Merged {
				more = ", which is there already"
			}
			line("  ", "projects/%s -> %s%s, %s", d.From, d.To, more, output.Plural(d.Sessions, "session"))
		}
		if p.States > 0 {
			line("  ", ".claude.json: %s", output.Plural(p.States, "project"))
		}
		if p.History > 0 {
			line("  ", "history.jsonl: %s", output.Plural(p.History, "line"))
		}
		for _, note := range p.Notes {
			line("  ", "note: %s", note)
		}
		if p.Act > 0 {
			line("", "Undo this: %s", sh.Command("undo %d", p.Act))
		}
	}
	return out.Flush()
}
