package hook

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"

	"sesskeep/internal/acts"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// StatuslineCommands are those that put our status line around the user's own, and take
// it away.
func StatuslineCommands(sh *shell.Shell) []*cobra.Command {
	return []*cobra.Command{
		statuslineChange(sh, "install", "Put it around your status line, which stays as it is",
			`Put "sesskeep usage statusline" around the status line in the settings of Claude Code: it
captures the limits of your plan and the size of contexts, and then runs your own
command, whose output is shown as before. Without a status line you get one that shows
costs.`),
		statuslineChange(sh, "uninstall", "Take it away from around your status line",
			`Put your own status line back, as it was. A status line that was ours alone is removed.`),
	}
}

func statuslineChange(sh *shell.Shell, verb, short, long string) *cobra.Command {
	o := Options{Verb: verb}
	cmd := &cobra.Command{
		Use: verb, Short: short, Args: shell.NoArgs,
		Long: long + `

It changes settings.json in ~/.claude, or in every home named by --claude-dir. Every
other byte of it stays the same, and "undo" gives it back.

Exit codes: 0 fine, also if there was nothing to do · 1 settings.json is not valid JSON,
or its status line is no command · 4 not allowed · 5 another process is writing ·
6 done in some homes only`,
		Example: "  sesskeep usage statusline " + verb + " --dry-run\n  sesskeep usage statusline " + verb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStatuslineChange(cmd.Context(), sh, o) },
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only show what would change")
	return cmd
}

func runStatuslineChange(ctx context.Context, sh *shell.Shell, o Options) error {
	hooks, roots, err := Setup(sh)
	if err != nil {
		return err
	}
	path, err := sh.Program()
	if err != nil {
		return fmt.Errorf("find the path of this program: %w", err)
	}
	o.Plan = func(h acts.Hooks, ctx context.Context, root string) (acts.Change, error) {
		if o.Verb == "install" {
			return acts.WrapStatusLine(ctx, h.Shelf, h.Actor, root, programWord(path, runtime.GOOS))
		}
		return acts.UnwrapStatusLine(ctx, h.Shelf, h.Actor, root)
	}
	return ChangeSettings(ctx, sh, o, hooks, roots, func(w io.Writer, page Changes) error {
		return writeStatusline(w, sh, o, page)
	})
}

func writeStatusline(w io.Writer, sh *shell.Shell, o Options, page Changes) error {
	out := bufio.NewWriter(w)
	for _, c := range page.Changes {
		file := term.Line(sh.Tilde(c.File))
		switch {
		case c.Error != "":
			fmt.Fprintf(out, "%s: %s\n", file, term.Line(c.Error))
		case !c.Changed && o.Verb == "install":
			fmt.Fprintf(out, "It is in %s already.\n", file)
		case !c.Changed:
			fmt.Fprintf(out, "The status line in %s is not ours.\n", file)
		case page.DryRun:
			WriteSettingsDiff(out, sh, c, file)
		case o.Verb == "install":
			fmt.Fprintf(out, "The status line in %s reports limits now; what it shows stays.\n", file)
			WriteUndoLines(out, sh, c)
		default:
			fmt.Fprintf(out, "The status line in %s is as it was.\n", file)
			WriteUndoLines(out, sh, c)
		}
	}
	return out.Flush()
}
