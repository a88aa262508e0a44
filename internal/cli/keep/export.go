package keep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type keepExportOptions struct {
	address, file string
}

func keepExportCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use:   "export ADDRESS FILE",
		Short: "Write a session and everything that belongs to it to one file",
		Long: `Write a session to one file that you can take to another machine: its transcript, agents,
saved outputs, tasks, plans and file history, byte for byte, each with its hash.

The file contains everything that was said, typed or read in the session, including
secrets. Nothing is removed: share it only with people who may see all of it.

The file is a gzipped tar archive. "sesskeep keep import" puts the session into a home.

Exit codes: 0 fine · 3 no such session · 4 not allowed · 5 the file exists already`,
		Example: `  sesskeep keep export 3987 3987.bundle
  sesskeep keep export @last /media/stick/last.bundle`,
		Args: twoArgs("a session and a file"),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return sh.CompleteSessions(cmd, args, word)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runKeepExport(cmd.Context(), sh, keepExportOptions{args[0], args[1]})
		},
	}
}

// twoArgs checks that there are two arguments.
func twoArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 2 {
			return nil
		}
		return fail.Usage(fmt.Sprintf("%s takes %s, not %s", cmd.Name(), what, output.Plural(len(args), "argument")), "usage: "+cmd.UseLine())
	}
}

func runKeepExport(ctx context.Context, sh *shell.Shell, o keepExportOptions) error {
	a, target, err := sh.Find(ctx, o.address)
	if err != nil {
		return err
	}
	e, err := a.Transfer.ExportBundle(ctx, target, workPath(sh, o.file))
	if errors.Is(err, fs.ErrNotExist) {
		if _, gone := os.Stat(filepath.Dir(workPath(sh, o.file))); gone != nil {
			return fail.Usage("keep export: there is no directory "+sh.Tilde(filepath.Dir(workPath(sh, o.file))), "create that directory first, or choose another")
		}
	}
	if err != nil {
		return err
	}
	for _, name := range e.Left {
		sh.Note(fmt.Sprintf("%q is left out: other systems cannot have a file of that name", name))
	}
	sh.Note("the file contains everything that was said and read in the session, including secrets")
	return sh.Out.Print(ctx, output.Listing{Value: e, Render: func(w io.Writer) error {
		_, err := fmt.Fprintln(w, term.Line(fmt.Sprintf("Exported session %s to %s: %s, %s, as %s.",
			e.Session, sh.Tilde(e.File), output.Plural(e.Files, "file"), term.Bytes(e.Content), term.Bytes(e.Size))))
		return err
	}})
}
