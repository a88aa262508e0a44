package cli

import "github.com/spf13/cobra"

func keepCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keep",
		Short: "Keep sessions: take them along as one file",
		Example: `  sesskeep keep export c9cf c9cf.bundle
  sesskeep keep import c9cf.bundle --project ~/work/app`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usageError{"keep: what shall be done?", `run "sesskeep keep --help"`}
		},
	}
	cmd.AddCommand(keepExportCommand(sh), keepImportCommand(sh))
	return cmd
}
