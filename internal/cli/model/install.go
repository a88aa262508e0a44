package model

import (
	"context"
	"fmt"
	"os/exec"

	"sesskeep/internal/acts"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/hook"
	"sesskeep/internal/cli/shell"

	"github.com/spf13/cobra"
)

type installOptions struct {
	scope       string
	all, dryRun bool
}

// The scopes in which the client looks for servers.
const (
	userScope    = "user"
	projectScope = "project"
)

func installCommand(sh *shell.Shell) *cobra.Command {
	o := installOptions{scope: userScope}
	cmd := &cobra.Command{
		Use: "install", Short: "Enter the server in the configuration of Claude Code", Args: shell.NoArgs,
		Long: `Enter "sesskeep mcp" in the configuration of Claude Code, which starts it with each
session. The user's scope is .claude.json of the home: every project. The project's
scope is .mcp.json in the working directory, which others share; there the program is
"sesskeep" on the path. Every other byte of the file stays the same, and "undo" gives it
back. No token is written: the server is a process of yours.

Exit codes: 0 fine, also if it was there · 1 the file is not valid JSON · 2 wrong usage ·
4 not allowed · 5 another process is writing`,
		Example: `  sesskeep mcp install --dry-run
  sesskeep mcp install
  sesskeep mcp install --scope project`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runInstall(cmd.Context(), sh, o) },
	}
	cmd.Flags().StringVar(&o.scope, "scope", userScope, "`user`: all projects; project: .mcp.json in the working directory")
	cmd.Flags().BoolVar(&o.all, "all-projects", false, "let it answer about all projects, not only that of the working directory")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	shell.Complete(cmd, "scope", userScope, projectScope)
	return cmd
}

func runInstall(ctx context.Context, sh *shell.Shell, o installOptions) error {
	server, err := o.server(sh)
	if err != nil {
		return err
	}
	hooks, roots, err := hook.Setup(sh)
	if err != nil {
		return err
	}
	if o.scope == projectScope {
		roots = roots[:1]
	}
	change := hook.Options{Verb: acts.ServerVerb, DryRun: o.dryRun, Plan: func(h acts.Hooks, ctx context.Context, root string) (acts.Change, error) {
		return server.Enter(ctx, h.Shelf, h.Actor, root)
	}}
	words := hook.Words{
		Changed:   "The server is in %s now: sessions that start from now on can ask it.",
		Unchanged: "The server is in %s already.",
	}
	if o.scope == projectScope {
		words.Changed += "\nClaude Code asks once in the project whether it may start it."
	}
	return hook.ChangeSettings(ctx, sh, change, hooks, roots, words)
}

// server is what is entered, and where.
func (o *installOptions) server(sh *shell.Shell) (acts.Server, error) {
	v := acts.Server{Args: []string{"mcp"}, Inside: sh.Getenv("CLAUDE_CONFIG_DIR") != ""}
	if o.all {
		v.Args = append(v.Args, "--all-projects")
	}
	switch o.scope {
	case userScope:
		path, err := sh.Program()
		if err != nil {
			return v, fmt.Errorf("find the path of this program: %w", err)
		}
		v.Program = path
	case projectScope:
		v.Program, v.Project = "sesskeep", sh.Dir
		if _, err := exec.LookPath(v.Program); err != nil {
			sh.Note("sesskeep is not on the path: the client starts it by that name")
		}
	default:
		return v, fail.Usage(fmt.Sprintf("--scope: %q is neither user nor project", o.scope), "for example: --scope project")
	}
	return v, nil
}
