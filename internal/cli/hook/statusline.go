package hook

import (
	"context"
	"fmt"
	"runtime"

	"sesskeep/internal/acts"
	"sesskeep/internal/cli/shell"

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
	words := Words{Changed: "The status line in %s is as it was.", Unchanged: "The status line in %s is not ours."}
	if o.Verb == "install" {
		words = Words{Changed: "The status line in %s reports limits now; what it shows stays.", Unchanged: "The status line in %s reports limits already."}
	}
	return ChangeSettings(ctx, sh, o, hooks, roots, words)
}
