package cli

import (
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"

	"github.com/spf13/cobra"
)

func completionCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Write a completion script for your shell",
		Long: `Write a script that completes commands, flags, sessions and projects in your shell.

bash  needs the package bash-completion. Add to ~/.bashrc:
        source <(sesskeep completion bash)
zsh   write it to a directory of your fpath, before compinit runs in ~/.zshrc:
        mkdir -p ~/.zfunc && sesskeep completion zsh > ~/.zfunc/_sesskeep
        fpath=(~/.zfunc $fpath); autoload -Uz compinit && compinit
fish  sesskeep completion fish > ~/.config/fish/completions/sesskeep.fish
powershell  add to your profile:
        sesskeep completion powershell | Out-String | Invoke-Expression

Start a new shell afterwards.`,
		Example: `  source <(sesskeep completion bash)
  sesskeep completion fish > ~/.config/fish/completions/sesskeep.fish`,
		Args:      shell.OneArg("shell"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(sh.Stdout, true)
			case "zsh":
				return root.GenZshCompletion(sh.Stdout)
			case "fish":
				return root.GenFishCompletion(sh.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(sh.Stdout)
			}
			return fail.Usage("completion: unknown shell "+args[0], "use bash, zsh, fish or powershell")
		},
	}
}
