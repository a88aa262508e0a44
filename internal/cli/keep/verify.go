package keep

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func keepVerifyCommand(sh *shell.Shell) *cobra.Command {
	repair := false
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check every copy against its checksum",
		Long: `Read all copies and compare them with their checksums. Any changed bit is found, and so
are copies that are not there any more. Second places are checked too. --repair makes
damaged copies again from the files in Claude's home, where those still exist, or from a
second place; "keep now" does the same with damage that was found before.

Exit codes: 0 no damage, or all of it repaired · 7 something is damaged`,
		Example: "  sesskeep keep verify\n  sesskeep keep verify --repair",
		Args:    shell.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeepVerify(cmd.Context(), sh, repair) },
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make damaged copies again from their sources")
	return cmd
}

func runKeepVerify(ctx context.Context, sh *shell.Shell, repair bool) error {
	a, err := sh.OpenWith(app.Options{})
	if err != nil {
		return err
	}
	bar, set := sh.Working("Checking")
	check := a.Keep.Verify
	if repair {
		check = a.Keep.Repair
	}
	v, err := check(ctx, set)
	bar.Done()
	if err != nil {
		return err
	}
	err = sh.Out.Print(ctx, output.Listing{Value: v, Render: func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for _, f := range v.Flaws {
			fmt.Fprintf(out, "%s: %s", term.Line(sh.Tilde(f.Path)), term.Line(f.Reason))
			if f.File != "" {
				fmt.Fprintf(out, " (copy of %s)", term.Line(f.File))
			}
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "Checked %s of %s, %s: %s\n", output.Plural(v.Versions, "version"), output.Plural(v.Families, "session"), term.Bytes(v.Bytes), flawsFound(len(v.Flaws)))
		for _, dir := range v.Away {
			fmt.Fprintf(out, "Not checked, as it is not there: second place %s\n", term.Line(sh.Tilde(dir)))
		}
		if v.Repaired > 0 {
			fmt.Fprintf(out, "%s repaired.\n", output.Were(v.Repaired, "place"))
		}
		return out.Flush()
	}})
	if err == nil && len(v.Flaws) > 0 {
		err = fail.Damage("damage found in the copies: " + output.Plural(len(v.Flaws), "place"))
		if !repair {
			return fail.Hint(err, "repair what can be repaired: "+sh.Command("keep verify --repair"))
		}
		return fail.Hint(err, "the rest can still be restored: "+sh.Command("keep restore ID --partial"))
	}
	return err
}

func flawsFound(n int) string {
	if n == 0 {
		return "all is as it was written"
	}
	return output.Plural(n, "place") + " damaged"
}
