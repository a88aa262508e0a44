package backup

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"sesskeep/internal/backup"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func verifyCommand(sh *shell.Shell) *cobra.Command {
	var o keyOptions
	cmd := &cobra.Command{
		Use:   "verify DIR|FILE.tar",
		Short: "Check every byte of the backups",
		Long: `Read all backups in a directory or file, compare them with their hashes, and name the
files that cannot be restored any more. All others can be.

Exit codes: 0 no damage · 3 there is no backup · 4 the passphrase is wrong · 7 something
is damaged`,
		Example: "  sesskeep backup verify /media/stick/claude",
		Args:    shell.OneArg("directory or file"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runVerify(cmd.Context(), sh, o, args[0]) },
	}
	o.register(cmd)
	return cmd
}

func runVerify(ctx context.Context, sh *shell.Shell, o keyOptions, path string) error {
	r, err := open(sh, o, path)
	if err != nil {
		return err
	}
	bar, set := sh.Working("Checking")
	v, err := r.Verify(ctx, set)
	bar.Done()
	if err != nil {
		return explain(sh, err, path)
	}
	if err := sh.Out.Print(ctx, output.Listing{Value: v, Render: func(w io.Writer) error { return writeVerified(w, &v) }}); err != nil {
		return err
	}
	switch {
	case len(v.Flaws) > 0 || len(v.Lost) > 0:
		return fail.Hint(fail.Damage(fmt.Sprintf("damage found in the backups: %s cannot be restored", output.Plural(len(v.Lost), "file"))),
			"restore the rest, and make another backup: it stores what is damaged again")
	case v.Backups == 0:
		return explain(sh, fmt.Errorf("%w in %s that was finished", backup.ErrNone, r.Path()), path)
	}
	return nil
}

// shown is how many lost files the text lists; --json has all.
const shown = 20

func writeVerified(w io.Writer, v *backup.Verified) error {
	out := bufio.NewWriter(w)
	for _, f := range v.Flaws {
		fmt.Fprintf(out, "%s: %s", term.Line(f.File), term.Line(f.Reason))
		if f.Chunks > 0 {
			fmt.Fprintf(out, " (%s lost)", output.Plural(f.Chunks, "chunk"))
		}
		fmt.Fprintln(out)
	}
	for n, f := range v.Lost {
		if n == shown {
			fmt.Fprintf(out, "… and %s more\n", output.Plural(len(v.Lost)-n, "file"))
			break
		}
		fmt.Fprintf(out, "lost in %s: %s\n", f.Backup, term.Line(f.Tree+"/"+f.Name))
	}
	fmt.Fprintf(out, "Checked %s with %s, %s in %s: %s\n", output.Plural(v.Backups, "backup"), output.Plural(v.Files, "file"),
		term.Bytes(v.Size), output.Plural(v.Packs, "pack"), verdict(v))
	return out.Flush()
}

func verdict(v *backup.Verified) string {
	if len(v.Flaws) == 0 && len(v.Lost) == 0 {
		return "all is as it was written"
	}
	return fmt.Sprintf("%s damaged, %s lost", output.Plural(len(v.Flaws), "place"), output.Plural(len(v.Lost), "file"))
}
