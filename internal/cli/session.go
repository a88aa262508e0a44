package cli

import "github.com/spf13/cobra"

func sessionCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "Look into one session, name it, tag it",
		Example: `  sesskeep session branches 3987
  sesskeep session agents @last
  sesskeep session files 3987 --patch
  sesskeep session usage 3987
  sesskeep session rename 3987 "The half line"
  sesskeep session tag add later 3987`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return failUsage("session: which subcommand?", `"sesskeep session --help" lists them`)
		},
	}
	cmd.AddCommand(lsCommand(sh), showCommand(sh), treeCommand(sh), branchesCommand(sh), agentsCommand(sh), filesCommand(sh), turnsCommand(sh),
		branchCommand(sh), diffCommand(sh))
	cmd.AddCommand(labelCommands(sh)...)
	return cmd
}
