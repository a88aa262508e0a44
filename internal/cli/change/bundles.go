package change

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// KeepExportCommand writes sessions as bundles: "keep export".
func KeepExportCommand(sh *shell.Shell) *cobra.Command {
	var o actOptions
	cmd := &cobra.Command{
		Use:   "export [SESSION…] FILE|DIR",
		Short: "Write sessions with everything that belongs to them, each to one file",
		Long: `Write a session to one file that you can take to another machine: its transcript, agents,
saved outputs, tasks, plans and file history, byte for byte, each with its hash. Several
sessions, or those that flags choose as in "ls", go to a directory, each to ID.bundle.

The file contains everything that was said, typed or read in the session, including
secrets. Nothing is removed: share it only with people who may see all of it.

The file is a gzipped tar archive. "sesskeep keep import" puts the session into a home.
Everything at once, with titles, copies and the trash: "sesskeep backup".

Exit codes: 0 fine · 3 no such session · 4 not allowed · 5 the file exists already ·
6 done for some only`,
		Example: `  sesskeep keep export 3987 3987.bundle
  sesskeep keep export @last /media/stick/last.bundle
  sesskeep keep export 3987 4861 /media/stick
  sesskeep keep export --filter 'project:app after:30d' --all /media/stick`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			names, _ := sh.CompleteSessions(cmd, nil, word)
			return names, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			cmd.Flags().Visit(func(f *pflag.Flag) { o.chosen = o.chosen || slices.Contains(choosingFlags, f.Name) })
			if len(args) == 0 || len(args) == 1 && !o.chosen {
				return fail.Usage("export takes sessions and a file or a directory, not "+output.Plural(len(args), "argument"), "usage: "+cmd.UseLine())
			}
			o.addresses = args[:len(args)-1]
			to := sh.Absolute([]string{args[len(args)-1]})[0]
			if info, err := os.Stat(to); len(o.addresses) == 1 && !o.chosen && o.addresses[0] != "-" && (err != nil || !info.IsDir()) {
				return exportBundle(cmd.Context(), sh, o.addresses[0], to)
			}
			return exportBundles(cmd.Context(), sh, o, to)
		},
	}
	o.ls.Register(cmd)
	return cmd
}

// exportVerb is what outcomes call it: it changes nothing that could be undone.
const exportVerb = "export"

const secretsInside = "contains everything that was said and read in the session, including secrets"

// exportBundle writes one session to a file.
func exportBundle(ctx context.Context, sh *shell.Shell, address, file string) error {
	a, target, err := sh.Find(ctx, address)
	if err != nil {
		return err
	}
	e, err := a.Transfer.ExportBundle(ctx, target, file)
	if err != nil {
		return noParent(sh, file, err)
	}
	noteLeft(sh, e.Left)
	sh.Note("the file " + secretsInside)
	return sh.Out.Print(ctx, output.Listing{Value: e, Render: func(w io.Writer) error {
		_, err := fmt.Fprintln(w, term.Line(fmt.Sprintf("Exported session %s to %s: %s, %s, as %s.",
			e.Session, sh.Tilde(e.File), output.Plural(e.Files, "file"), term.Bytes(e.Content), term.Bytes(e.Size))))
		return err
	}})
}

// noParent says of an error that there is no directory for a file, if it is that.
func noParent(sh *shell.Shell, file string, err error) error {
	if _, gone := os.Stat(filepath.Dir(file)); gone == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fail.Usage("keep export: there is no directory "+sh.Tilde(filepath.Dir(file)), "create that directory first, or choose another")
}

// makeFolder makes a directory that is not there.
func makeFolder(sh *shell.Shell, a *app.App, dir string) error {
	err := a.Transfer.Outside(dir)
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return noParent(sh, dir, err)
}

// exportBundles writes sessions into a directory, which is made if it is not there.
func exportBundles(ctx context.Context, sh *shell.Shell, o actOptions, dir string) error {
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	s, err := selectedSessions(ctx, sh, a, o)
	if err != nil {
		return err
	}
	if err := makeFolder(sh, a, dir); err != nil {
		return err
	}
	bar, set := sh.Working("Exporting")
	out, err := a.Manage.Visit(ctx, acts.Doing{Progress: func(done, total int) { set(done, total, 0) }}, exportVerb, s, bundler(sh, a, dir))
	bar.Done()
	if err != nil {
		return err
	}
	if out.Total == 0 {
		return fail.Usage("no session matches", `"sesskeep ls" with the same flags shows which would be exported`)
	}
	if out.Changed > 0 {
		sh.Note("each file " + secretsInside)
	}
	return printOutcome(ctx, sh, "exported to "+sh.Tilde(dir), out)
}

// bundler writes one session after the other into a directory.
func bundler(sh *shell.Shell, a *app.App, dir string) func(context.Context, catalog.Target, *acts.Result) error {
	return func(ctx context.Context, t catalog.Target, r *acts.Result) error {
		e, err := a.Transfer.ExportBundle(ctx, t, filepath.Join(dir, r.ID+".bundle"))
		if err != nil {
			return err
		}
		noteLeft(sh, e.Left)
		r.Changed, r.Files, r.Size, r.Note = true, e.Files, e.Content, "as "+term.Bytes(e.Size)
		return nil
	}
}

// noteLeft names the files that no bundle can have.
func noteLeft(sh *shell.Shell, names []string) {
	for _, name := range names {
		sh.Note(fmt.Sprintf("%q is left out: other systems cannot have a file of that name", name))
	}
}
