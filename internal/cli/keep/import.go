package keep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/term"
	"sesskeep/internal/transfer"

	"github.com/spf13/cobra"
)

type keepImportOptions struct {
	file    string
	project string

	changing shell.Changing
}

func keepImportCommand(sh *shell.Shell) *cobra.Command {
	var o keepImportOptions
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Put an exported session into Claude's home",
		Long: `Put a session that "keep export" wrote into Claude's home, so that "claude --resume" can
continue it. Every file is checked against its hash first, and nothing is overwritten:
identical files are left alone, and if an existing file differs, nothing is changed.

On another machine the project is usually somewhere else. --project DIR puts the session
into the project at DIR and changes the working directory in its records; every other
byte stays the same.

A file from a stranger can do no harm: names that lead elsewhere, links, secrets and
files that are not part of a session are refused, and so are archives that expand
without end.

Exit codes: 0 fine, also if everything existed already · 3 no such file · 4 not allowed ·
5 the session exists and differs · 7 the file is damaged or not a bundle`,
		Example: `  sesskeep keep import 3987.bundle
  sesskeep keep import 3987.bundle --project ~/work/app --dry-run
  sesskeep undo`,
		Args: shell.OneArg("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = args[0]
			return runKeepImport(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().StringVar(&o.project, "project", "", "`DIR` of the project that the session will belong to; default: the one it had")
	_ = cmd.MarkFlagDirname("project")
	o.changing.Register(cmd, "only show what would be put where")
	return cmd
}

// Imported is what --json writes.
type Imported struct {
	*transfer.Imported
	DryRun bool `json:"dryRun"`
	Act    int  `json:"actId,omitempty"` // for undo
}

func runKeepImport(ctx context.Context, sh *shell.Shell, o keepImportOptions) error {
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	data, err := sh.Dirs().Data()
	if err != nil {
		return err
	}
	s, err := o.changing.Shelf(ctx, sh)
	if err != nil {
		return err
	}
	i, err := a.Transfer.ImportBundle(ctx, transfer.ImportOptions{File: workPath(sh, o.file), Project: realWorkPath(sh, o.project), Data: data, Actor: shell.Actor(sh)})
	if errors.Is(err, errcode.ErrNoBundle) {
		return fail.Damage(err.Error())
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fail.Hint(err, "name a file that "+sh.Command("keep export")+" wrote")
	}
	if err != nil {
		return err
	}
	defer i.Close()
	act, err := o.changing.Do(ctx, s, i.Plan)
	if err != nil {
		return err
	}
	r := Imported{Imported: i, DryRun: o.changing.DryRun, Act: act.ID}
	return sh.Out.Print(ctx, output.Listing{Value: r, Render: func(w io.Writer) error { return writeImported(w, sh, r) }})
}

func writeImported(w io.Writer, sh *shell.Shell, r Imported) error {
	where := r.Dir
	if r.Project != "" {
		where = sh.Tilde(r.Project)
	}
	text := fmt.Sprintf("Imported session %s into %s: %s, %s.\nResume it: %s\nUndo this: %s",
		r.Session, where, output.Plural(r.Files, "file"), term.Bytes(r.Size),
		sh.Command("resume %s", r.Session), sh.Command("undo %d", r.Act))
	switch {
	case r.Files == 0:
		text = fmt.Sprintf("Session %s is there already, in %s.", r.Session, where)
	case r.DryRun:
		text = fmt.Sprintf("Session %s would be put into %s: %s, %s.", r.Session, where, output.Plural(r.Files, "file"), term.Bytes(r.Size))
	}
	_, err := fmt.Fprintln(w, term.Clean(text))
	return err
}

// workPath resolves a path that a user typed, which may be relative to the working directory.
func workPath(sh *shell.Shell, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(sh.Dir, name)
}

// realWorkPath returns a directory as the client names it: without links, if it exists.
func realWorkPath(sh *shell.Shell, name string) string {
	name = workPath(sh, name)
	if name == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return filepath.Clean(name)
}
