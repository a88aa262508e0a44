package keep

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/keeping"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type keepRestoreOptions struct {
	address string
	dryRun  bool
	partial bool
}

func keepRestoreCommand(sh *shell.Shell) *cobra.Command {
	var o keepRestoreOptions
	cmd := &cobra.Command{
		Use:   "restore ADDRESS",
		Short: "Put a deleted session back",
		Long: `Put everything that is kept of a session back where it was, byte for byte, so that
Claude Code can resume it. The files get the current time, so that the next cleanup does
not delete them. Instead of a session you can name history.jsonl or another kept file of
the home, by its path inside the home.

Nothing is overwritten. Files that already have everything the copy has are left alone;
if a different file is in the way, nothing is changed.

If a copy is damaged, nothing is changed either. --partial puts back every intact file,
and of the others what is intact: whole lines of transcripts.

Exit codes: 0 fine, also if nothing was missing · 3 no copy is kept · 5 a different file
is in the way · 6 only a part was put back · 7 a copy is damaged`,
		Example: `  sesskeep keep restore 3f2a --dry-run
  sesskeep keep restore 3f2a
  sesskeep keep restore history.jsonl`,
		Args: shell.OneArg("session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.address = args[0]
			return runKeepRestore(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.partial, "partial", false, "put back what is intact of damaged copies")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would be put back")
	return cmd
}

// Restored is what --json writes.
type Restored struct {
	keeping.Restore
	Restored int  `json:"restoredCount"`
	Act      int  `json:"actId,omitempty"` // for undo
	DryRun   bool `json:"dryRun"`
}

func runKeepRestore(ctx context.Context, sh *shell.Shell, o keepRestoreOptions) error {
	shelf, err := sh.Shelf()
	if err != nil {
		return err
	}
	if !o.dryRun {
		if err := shell.Recover(ctx, sh, shelf); err != nil {
			return err
		}
	}
	sh.Asked = o.address
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	plan := a.Keep.PlanRestore
	if o.partial {
		plan = a.Keep.PlanPartialRestore
	}
	r, err := plan(ctx, shelf, shell.Actor(sh), o.address)
	if err != nil {
		return err
	}
	page := Restored{Restore: r, Restored: r.Count(keeping.RestoreGone) + r.Count(keeping.RestorePart), DryRun: o.dryRun}
	if !o.dryRun {
		act, err := r.Make(ctx, shelf)
		if err != nil {
			return err
		}
		page.Act = act.ID
	}
	err = sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "files",
		Render: func(w io.Writer) error { return writeKeepRestored(w, sh, page, o.address) },
	})
	if n := r.Count(keeping.RestorePart) + r.Count(keeping.RestoreLost); err == nil && n > 0 {
		err = fail.Partial(fmt.Sprintf("%s damaged in the copy and not complete", are(n, "file")))
	}
	return err
}

func writeKeepRestored(w io.Writer, sh *shell.Shell, page Restored, address string) error {
	out := bufio.NewWriter(w)
	if page.DryRun {
		for _, f := range page.Files {
			fmt.Fprintf(out, "%-5s %9s  %s\n", f.State, term.Bytes(f.Size), term.Line(sh.Tilde(f.File)))
		}
	}
	for _, f := range page.Files {
		if f.Lost > 0 {
			fmt.Fprintf(out, "Damaged in the copy, %s of %s lost: %s\n", term.Bytes(f.Lost), term.Bytes(f.Size), term.Line(sh.Tilde(f.File)))
		}
	}
	there := page.Count(keeping.RestoreThere)
	switch {
	case page.Restored == 0:
		fmt.Fprintf(out, "Nothing is missing: %s there.\n", are(there, "file"))
		return out.Flush()
	case page.DryRun:
		fmt.Fprintf(out, "%s would be put back", output.Plural(page.Restored, "file"))
	default:
		fmt.Fprintf(out, "%s put back", output.Were(page.Restored, "file"))
	}
	if there > 0 {
		fmt.Fprintf(out, ", %s there already", are(there, "file"))
	}
	fmt.Fprintln(out, ".")
	if page.Act > 0 {
		if page.Session != "" {
			fmt.Fprintf(out, "Resume it: %s\n", term.Line(sh.Command("resume %s", address)))
		}
		fmt.Fprintf(out, "Undo this: %s\n", sh.Command("undo %d", page.Act))
	}
	return out.Flush()
}

// are is "n files are" with its grammar.
func are(n int, noun string) string {
	if n == 1 {
		return output.Plural(n, noun) + " is"
	}
	return output.Plural(n, noun) + " are"
}

func keepGoneCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "gone",
		Short: "List deleted sessions that still have a copy",
		Long: `List the sessions that have a copy but no transcript any more, with the time at which
that was first noticed. It does not matter who deleted them.`,
		Example: "  sesskeep keep gone\n  sesskeep keep gone --jq '.sessions[].id'",
		Args:    shell.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeepGone(cmd.Context(), sh) },
	}
}

// GonePage is what --json writes.
type GonePage struct {
	Sessions []keeping.GoneSession `json:"sessions"`
	Total    int                   `json:"total"`
	ask.Covered
}

func runKeepGone(ctx context.Context, sh *shell.Shell) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	list, covered, err := a.Keep.Gone(ctx)
	if err != nil {
		return err
	}
	page := GonePage{list, len(list), ask.NewCovered(covered)}
	if limit > 0 && limit < len(list) {
		page.Sessions = list[:limit]
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "sessions",
		Table:  func(s term.Screen) *term.Table { return goneTable(sh, s, page.Sessions) },
		Footer: output.Plural(page.Total, "session") + " left only as copies · restore one: " + sh.Command("keep restore ID"),
		Empty:  "No session with a copy has been deleted.",
	})
}

func goneTable(sh *shell.Shell, s term.Screen, list []keeping.GoneSession) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Yellow, Min: 8}, {Title: "noticed"}, {Title: "project", Style: term.Cyan}, {Title: "title", Flex: true, Min: 20}, {Title: "size", Right: true},
	}}
	for _, g := range list {
		id, noticed, size := g.ID, g.Noticed.Format(time.RFC3339), fmt.Sprint(g.Size)
		if s.TTY {
			id, noticed, size = id[:8], term.Ago(g.Noticed.Time, sh.Now()), term.Bytes(g.Size)
		}
		t.Row(output.Cells([]string{id, noticed, g.Project, g.Title, size})...)
	}
	return t
}
