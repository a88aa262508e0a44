package doctor

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"sesskeep/internal/check"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/health"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type repairOptions struct {
	address  string
	changing shell.Changing
	yes      bool
}

// RepairCommand is "repair".
func RepairCommand(sh *shell.Shell) *cobra.Command {
	var o repairOptions
	cmd := shell.AddressCommand(sh, "repair", "Repair the damaged files of a session", func(ctx context.Context, address string) error {
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

On a terminal you see the plan and are asked first, unless you pass --yes. A script is
not asked.

What is gone for good, such as the transcript of an agent, is named and stays so.

Exit codes: 0 all that can be repaired is, also if there was nothing to do · 3 no such
session · 4 not allowed · 5 a client is running it, or the file changed meanwhile`
	cmd.Example = `  sesskeep check acec
  sesskeep repair acec --dry-run
  sesskeep repair acec
  sesskeep repair acec --jq .actId
  sesskeep undo`
	o.changing.Register(cmd, "only show what would change, and why")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	return cmd
}

// Repaired is what --json writes.
type Repaired struct {
	*health.RepairPlan
	DryRun bool   `json:"dryRun"`
	Act    int    `json:"actId,omitempty"`  // for undo
	Backup string `json:"backup,omitempty"` // of the first file as it was

	address string // that was asked for, in full
}

func runRepair(ctx context.Context, sh *shell.Shell, o repairOptions) error {
	a, target, err := sh.Find(ctx, o.address)
	if err != nil {
		return err
	}
	s, err := o.changing.Shelf(ctx, sh)
	if err != nil {
		return err
	}
	plan, err := a.Health.Repair(ctx, target, shell.Actor(sh))
	if err != nil {
		return err
	}
	r := Repaired{RepairPlan: &plan, DryRun: o.changing.DryRun, address: plan.Session}
	if target.Ref.Agent != "" {
		r.address += "/" + string(target.Ref.Agent)
	}
	asks := !o.yes && !r.DryRun && len(plan.Files) > 0 && sh.Asks()
	if asks {
		if ok, err := agreedToRepair(ctx, sh, r); err != nil || !ok {
			return err
		}
		// A client may have opened the session while we waited for the answer. Only the
		// changes that were shown are made: Repair refuses if a file has changed since.
		if _, err := a.Health.Repair(ctx, target, shell.Actor(sh)); err != nil {
			return err
		}
	}
	act, err := o.changing.Do(ctx, s, plan.Plan)
	if err != nil {
		return err
	}
	r.Act, r.Backup = act.ID, s.Backup(act)
	return sh.Out.Print(ctx, output.Listing{Value: r, Render: func(w io.Writer) error {
		if asks { // the plan was shown with the question
			return writeRepairEnd(w, sh, r)
		}
		return errors.Join(writeRepairPlan(w, sh, r), writeRepairEnd(w, sh, r))
	}})
}

// agreedToRepair shows what would change, and asks.
func agreedToRepair(ctx context.Context, sh *shell.Shell, r Repaired) (bool, error) {
	if err := writeRepairPlan(sh.Stdout, sh, r); err != nil {
		return false, err
	}
	return sh.Yes(ctx), nil
}

// writeRepairPlan says what a repair changes, and what it cannot mend.
func writeRepairPlan(w io.Writer, sh *shell.Shell, r Repaired) error {
	out := bufio.NewWriter(w)
	line := func(indent, format string, args ...any) {
		fmt.Fprintf(out, "%s%s\n", indent, term.Line(fmt.Sprintf(format, args...)))
	}
	if len(r.Files) == 0 {
		line("", "There is nothing to repair in session %s.", r.Session)
	}
	for _, f := range r.Files {
		line("", "%s", sh.Tilde(filepath.Join(r.Root, filepath.FromSlash(f.File))))
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
		kept := output.Plural(f.Records, "record") + " kept"
		if f.Dropped > 0 {
			kept += ", " + term.Bytes(f.Dropped) + " that are not records left out"
		}
		line("  ", "%s", kept)
	}
	for _, f := range r.Left {
		line("", "Remains, because what is gone cannot be brought back: %s%s: %s", where([]check.Finding{f}, ""), f.Code, f.Meaning)
	}
	return out.Flush()
}

// writeRepairEnd says what became of a plan.
func writeRepairEnd(w io.Writer, sh *shell.Shell, r Repaired) error {
	out := bufio.NewWriter(w)
	switch {
	case len(r.Files) == 0:
	case r.DryRun:
		fmt.Fprintf(out, "Nothing was changed. Do it: %s\n", term.Line(sh.Command("repair %s", r.address)))
	default:
		fmt.Fprintf(out, "Repaired. The file as it was: %s\n", term.Line(sh.Tilde(r.Backup)))
		fmt.Fprintf(out, "Undo this: %s\n", term.Line(sh.Command("undo %d", r.Act)))
	}
	return out.Flush()
}
