package cli

import (
	"sesskeep/internal/cli/change"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/insight"
	"sesskeep/internal/cli/keep"
	"sesskeep/internal/cli/list"
	"sesskeep/internal/cli/purge"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/show"

	"github.com/spf13/cobra"
)

func sessionCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "Look into one session, name it, tag it",
		Example: `  sesskeep session conversations 3987
  sesskeep session agents @last
  sesskeep session files 3987 --patch
  sesskeep session usage 3987
  sesskeep session rename 3987 "The half line"
  sesskeep session tag add later 3987`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("session: which subcommand?", `"sesskeep session --help" lists them`)
		},
	}
	cmd.AddCommand(list.LsCommand(sh), show.Command(sh), show.TreeCommand(sh), show.BranchesCommand(sh), show.AgentsCommand(sh), show.FilesCommand(sh), show.TurnsCommand(sh), insight.HealthCommand(sh), insight.ContextCommand(sh),
		change.BranchCommand(sh), show.DiffCommand(sh))
	cmd.AddCommand(change.LabelCommands(sh)...)
	cmd.AddCommand(purge.SessionCommand(sh))
	return cmd
}

func keepCommand(sh *shell.Shell) *cobra.Command {
	cmd := keep.Command(sh)
	cmd.AddCommand(change.KeepExportCommand(sh))
	return cmd
}
