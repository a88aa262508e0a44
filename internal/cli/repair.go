package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"sesskeep/internal/app"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type repairOptions struct {
	address  string
	changing changing
}

func repairCommand(sh *shell) *cobra.Command {
	var o repairOptions
	cmd := addressCommand(sh, "repair", "Repair the damaged files of a session", func(ctx context.Context, address string) error {
		o.address = address
		return runRepair(ctx, sh, o)
	})
	cmd.Long = `Repair the transcripts of a session and its agents, so that "claude --resume" reads
everything in them: records that share a line get a line each, bytes that are not a
record are left out, and records whose parent is missing or forms a loop are connected
again.

No record is dropped, and only the fields named in the plan are changed. The file is
replaced as a whole; the old one is kept, and "sesskeep undo" puts it back. A session
that a client has open is not touched.

Exit codes: 0 fine, also if there was nothing to do · 3 no such session ·
4 not allowed · 5 a client is running it, or the file changed meanwhile ·
7 something cannot be repaired`
	cmd.Example = `  sesskeep check acec
  sesskeep repair acec --dry-run
  sesskeep repair acec
  sesskeep undo`
	o.changing.register(cmd, "only show what would change, and why")
	return cmd
}

// repaired is what --json writes.
type repaired struct {
	*app.RepairPlan
	DryRun bool   `json:"dryRun"`
	Act    int    `json:"actId,omitempty"`  // for undo
	Backup string `json:"backup,omitempty"` // of the first file as it was
}

func runRepair(ctx context.Context, sh *shell, o repairOptions) error {
	a, target, err := sh.find(ctx, o.address)
	if err != nil {
		return err
	}
	s, err := o.changing.shelf(ctx, sh)
	if err != nil {
		return err
	}
	plan, err := a.Repair(ctx, target, sh.actor())
	if err != nil {
		return err
	}
	act, err := o.changing.carryOut(ctx, s, plan.Plan)
	if err != nil {
		return err
	}
	r := repaired{RepairPlan: &plan, DryRun: o.changing.dryRun, Act: act.ID, Backup: s.Backup(act)}
	err = sh.print(ctx, listing{value: r, render: func(w io.Writer) error { return writeRepair(w, sh, r) }})
	if n := len(plan.Left); err == nil && n > 0 {
		return damageError{plural(n, "finding") + " that cannot be repaired"}
	}
	return err
}

func writeRepair(w io.Writer, sh *shell, r repaired) error {
	out := bufio.NewWriter(w)
	line := func(indent, format string, args ...any) {
		fmt.Fprintf(out, "%s%s\n", indent, term.Line(fmt.Sprintf(format, args...)))
	}
	if len(r.Files) == 0 {
		line("", "There is nothing to repair in session %s.", r.Session)
	}
	for _, f := range r.Files {
		line("", "%s", sh.tilde(filepath.Join(r.Root, filepath.FromSlash(f.File))))
		for _, c := range f.Changes {
			text := fmt.Sprintf("line %d: %s", c.Line, c.What)
			if c.Count > 1 {
				text += fmt.Sprintf(" (%d times)", c.Count)
			}
			if c.Field != "" {
				text += ": sets " + c.Field
			}
			line("  ", "%s", text)
		}
		kept := plural(f.Records, "record") + " kept"
		if f.Dropped > 0 {
			kept += ", " + term.Bytes(f.Dropped) + " that are not records left out"
		}
		line("  ", "%s", kept)
	}
	for _, f := range r.Left {
		line("", "Cannot be repaired: %s%s: %s", where([]app.CheckFinding{f}, ""), f.Code, f.Meaning)
	}
	switch {
	case len(r.Files) == 0:
	case r.DryRun:
		line("", "Nothing was changed. Do it: %s", sh.command("repair %s", r.Session))
	default:
		line("", "Repaired. The file as it was: %s", sh.tilde(r.Backup))
		line("", "Undo this: %s", sh.command("undo %d", r.Act))
	}
	return out.Flush()
}
