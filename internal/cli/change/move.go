package change

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/manage"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func moveCommand(sh *shell.Shell) *cobra.Command {
	var to string
	return actCommand(sh, actVerb{
		use: "mv [SESSION…] --to PROJECT|HOME", short: "Move sessions to another project or another home", done: "moved", forced: true,
		long: `Move sessions, each with its agents, tool results, tasks and file history: to the project
in another folder, or to another home, where they keep their project. "claude --resume"
in that folder then finds them.

Where the records name the old folder they name the new one; every other byte stays the
same. Titles, tags and notes go with the session. What you typed stays in history.jsonl
of the old project, and copies of the old place stay. Nothing is overwritten, and "undo"
puts everything back.

A session that is in use is refused: one that a client has open, or that was written to
in the last minute. --force moves it anyway.`,
		example: "  sesskeep session mv 3987 --to ~/work/app\n  sesskeep session mv --filter 'project:old-name' --all --to ~/work/app --dry-run\n  sesskeep --claude-dir ~/.claude --claude-dir ~/.claude-work session mv 3987 --to ~/.claude-work",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&to, "to", "", "where to: `DIR`, a project, or a home by its name or directory")
		},
		act: func(ctx context.Context, a *app.App, d acts.Doing, s manage.Selection, _ []string) (acts.Outcome, error) {
			where, err := destination(ctx, sh, a, to)
			if err != nil {
				return acts.Outcome{}, err
			}
			return a.Manage.Move(ctx, d, s, where)
		},
	})
}

// destination is the place that a user means: a home, a project that is known, or a folder that
// is there.
func destination(ctx context.Context, sh *shell.Shell, a *app.App, word string) (to manage.Destination, err error) {
	if word == "" {
		return to, fail.Usage("session mv: where to?", "--to takes a folder, a project or a home")
	}
	path := sh.Absolute([]string{word})[0]
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // as the client sees it
	}
	named := a.Homes.Named(word)
	if len(named) > 1 {
		return to, fail.Usage(fmt.Sprintf("session mv: several homes are called %q", word), "name its directory")
	}
	for _, h := range a.Homes.List {
		if root, err := filepath.EvalSymlinks(h.Store.Root()); err == nil && root == path {
			named = append(named, h)
		}
	}
	if len(named) > 0 {
		to.Home = named[0]
		return to, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		to.Project = path
		return to, nil
	}
	c, err := a.Catalog.Snapshot(ctx)
	if err != nil {
		return to, err
	}
	if p, err := c.FindProject(word); err == nil && p.Path != "" {
		to.Project = p.Path
		return to, nil
	}
	return to, fail.Usage(fmt.Sprintf("session mv: %q is no folder, no project and none of the homes", word), `create the folder first; another home is named with --claude-dir, once for each`)
}
