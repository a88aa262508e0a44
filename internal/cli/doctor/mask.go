package doctor

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/mask"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type maskOptions struct {
	address            string
	dryRun, yes, purge bool
}

// MaskCommand is "mask".
func MaskCommand(sh *shell.Shell) *cobra.Command {
	var o maskOptions
	cmd := &cobra.Command{
		Use: "mask ADDRESS", Short: "Put marks in the place of secrets in a session's files",
		Long: `Put marks such as [github-token:1] in the place of the secrets that "scan" finds, in all
files of a session: its transcript and those of its agents, saved outputs, the file
history, todos and plans, its prompts in history.jsonl, pasted texts, and kept copies
with their versions. What it found there is replaced in the prompts and pastes of other
sessions too. Not changed are forks, documents, backups and settings, such as
.claude.json.

The service refuses thinking that it signed behind other words. So from the first changed
line of a transcript on, signed thinking is taken out; "claude --resume" works without
it. Rewinding files to a masked state of the file history writes the marks into them.

Each file is replaced as a whole, all of them in one change that "undo" takes back: until
"mask ADDRESS --purge" the files as they were lie in the data directory of sesskeep, with
every secret. Copies are not put back by undo. A session in use is refused.

This is best effort: docs/redaction.md says what is found. A secret that has lain in a
session should be replaced where it is used, too.

Exit codes: 0 masked, also if there was nothing to mask · 3 no such session · 4 not
allowed · 5 in use, or changed meanwhile`,
		Example:           "  sesskeep scan 3987\n  sesskeep mask 3987 --dry-run\n  sesskeep mask 3987\n  sesskeep mask 3987 --purge",
		Args:              shell.OneArg("session"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.address = args[0]
			if o.purge {
				return runMaskPurge(cmd.Context(), sh, o)
			}
			return runMask(cmd.Context(), sh, o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	f.BoolVar(&o.purge, "purge", false, "remove for good what changes of the session have kept: they cannot be undone then")
	return cmd
}

func runMask(ctx context.Context, sh *shell.Shell, o maskOptions) error {
	a, done, err := sh.OpenToChange(ctx, o.dryRun)
	if err != nil {
		return err
	}
	defer done()
	d := acts.Doing{Actor: shell.Actor(sh), DryRun: o.dryRun}
	asks := !o.yes && !o.dryRun && sh.Asks()
	if asks {
		if ok, err := agreedToMask(ctx, sh, a, d, o.address); err != nil || !ok {
			return err
		}
	}
	masked, err := a.Mask.Session(ctx, d, o.address)
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{Value: masked, Items: "files", Render: func(w io.Writer) error {
		if asks { // the plan was shown with the question
			return writeMaskEnd(w, sh, masked)
		}
		return writeMask(w, sh, masked)
	}})
}

// agreedToMask shows what would change, and asks.
func agreedToMask(ctx context.Context, sh *shell.Shell, a *app.App, d acts.Doing, address string) (bool, error) {
	d.DryRun = true
	plan, err := a.Mask.Session(ctx, d, address)
	if err != nil {
		return false, err
	}
	if err := writeMaskPlan(sh.Stdout, plan); err != nil || plan.Empty() {
		return false, err
	}
	return sh.Yes(ctx), nil
}

func writeMask(w io.Writer, sh *shell.Shell, m mask.Masked) error {
	if err := writeMaskPlan(w, m); err != nil {
		return err
	}
	return writeMaskEnd(w, sh, m)
}

// writeMaskPlan says what masking a session changes.
func writeMaskPlan(w io.Writer, m mask.Masked) error {
	out := bufio.NewWriter(w)
	line := func(format string, args ...any) { fmt.Fprintln(out, term.Line(fmt.Sprintf(format, args...))) }
	if m.Empty() {
		line("No secret found in session %s.", m.Session)
		return out.Flush()
	}
	line("%s %s", output.Head(m.Session, 8), m.Title)
	for _, c := range m.Secrets {
		line("  %s: %s, found %s", c.Family, output.Plural(c.Values, "secret"), output.Plural(c.Matches, "time"))
	}
	for _, f := range m.Files {
		line("  %s: %s", shortFile(f.Name, m.Session), output.Plural(f.Matches, "mark"))
	}
	if m.Copies > 0 {
		line("  copies: %s", output.Plural(m.Copies, "version"))
	}
	if m.Thinking > 0 {
		line("  signed thinking: %s taken out, because the service refuses it behind changed words", output.Plural(m.Thinking, "block"))
	}
	for _, note := range m.Notes {
		line("  note: %s", note)
	}
	return out.Flush()
}

func writeMaskEnd(w io.Writer, sh *shell.Shell, m mask.Masked) error {
	switch {
	case m.Empty():
		return nil
	case m.DryRun:
		_, err := fmt.Fprintf(w, "Nothing was changed. Do it: %s\n", term.Line(sh.Command("mask %s", m.Session)))
		return err
	case m.Act == 0:
		_, err := fmt.Fprintln(w, "Masked.")
		return err
	}
	_, err := fmt.Fprintf(w, "Masked. The files as they were are kept, with every secret.\nUndo this: %s\nRemove them for good: %s\n",
		term.Line(sh.Command("undo %d", m.Act)), term.Line(sh.Command("mask %s --purge", m.Session)))
	return err
}

// MaskPurged is what --purge writes.
type MaskPurged struct {
	Acts    []int `json:"actIds"`      // changes that cannot be undone any more
	Backups int   `json:"backupCount"` // files that were kept of them
	DryRun  bool  `json:"dryRun"`      // true if nothing was changed
}

func runMaskPurge(ctx context.Context, sh *shell.Shell, o maskOptions) error {
	a, done, err := sh.OpenToChange(ctx, o.dryRun)
	if err != nil {
		return err
	}
	defer done()
	d := acts.Doing{Actor: shell.Actor(sh), DryRun: true}
	had, err := a.Mask.Purge(ctx, d, o.address)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s of %s", output.Plural(had.Backups, "backup"), output.Plural(len(had.Acts), "change"))
	if d.DryRun = o.dryRun; !d.DryRun && len(had.Acts) > 0 {
		if !o.yes && sh.Asks() {
			fmt.Fprintf(sh.Stdout, "Removes %s for good: they cannot be undone after that.\n", text)
			if !sh.Yes(ctx) {
				return nil
			}
		}
		if had, err = a.Mask.Purge(ctx, d, o.address); err != nil {
			return err
		}
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: MaskPurged{append([]int{}, had.Acts...), had.Backups, d.DryRun}, Items: "actIds",
		Render: func(w io.Writer) error {
			word := "Removed"
			if d.DryRun {
				word = "Would remove"
			}
			_, err := fmt.Fprintf(w, "%s %s.\n", word, text)
			return err
		},
	})
}
