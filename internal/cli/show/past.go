package show

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/term"
	"sesskeep/internal/timeline"
	"sesskeep/internal/versions"
	"sesskeep/internal/view"

	"github.com/spf13/cobra"
)

// aboutVersions says how a version is named and what the answers mean.
const aboutVersions = `Behind @ stands a time (2026-11-14T09:02, 2d, yesterday), a prompt by its id or as
SESSION#ID (the file before the changes of that prompt, as a rewind puts it back), the
message of one change (the file after it), or a session (the file at its end). Without @
the last content that is known is meant. A PATH that is not absolute is below the working
directory, or else the end of a path.

The client's own copies count first, then what tools wrote, read and replaced, edit by
edit; each answer says which, and names the time in which others changed the file, if
that is where the version lies. A content that cannot be replayed is not guessed.`

func fileShowCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "show PATH[@WHEN]", Short: "Print a file as it was",
		Long:    "Print a file as it was.\n\n" + aboutVersions + "\n\nExit codes: 0 fine · 2 wrong usage · 3 not known, or several files",
		Example: "  sesskeep file show reader.go\n  sesskeep file show reader.go@3987\n  sesskeep file show reader.go@2d --json",
		Args:    shell.OneArg("file"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runFileShow(cmd.Context(), sh, args[0]) },
	}
}

func runFileShow(ctx context.Context, sh *shell.Shell, arg string) error {
	path, at := versions.SplitAt(arg)
	return withFile(sh, path, func(a *app.App, path string, _ bool) error {
		f, err := a.Versions.Show(ctx, path, at)
		if err != nil {
			return err
		}
		sh.Note(saysVersion(&f))
		return sh.Out.Print(ctx, output.Listing{Value: f, Render: func(w io.Writer) error {
			_, err := io.WriteString(w, shownText(sh.Out.Screen, f.Text))
			return err
		}})
	})
}

// shownText is a text for a terminal, or the bytes as they are for a file or a program.
func shownText(s term.Screen, text string) string {
	if s.TTY {
		return term.Clean(text)
	}
	return text
}

// saysVersion says in one line where a version comes from and how sure it is.
func saysVersion(f *versions.FileVersion) string {
	text := term.Line(f.Path) + " as of " + output.RFC3339(f.Time) + ": "
	switch {
	case f.Absent:
		text += "there was no such file"
	case f.Sure == timeline.Lost:
		text += "unknown: a change cannot be replayed; this is the content before it"
	case f.Source == "copy":
		text += "exact, from the client's copy"
	default:
		text += string(f.Sure)
	}
	switch {
	case f.Outside == nil:
	case f.Outside.From.IsZero():
		text += "; first seen then, so that it can have been another before"
	default:
		text += "; changed outside between " + output.RFC3339(f.Outside.From) + " and " + output.RFC3339(f.Outside.Until)
	}
	return text
}

// withFile opens the homes and calls use with the path that an argument means: below the working
// directory, where sessions know that, else as the end of a path. Named says that the user named the file itself.
func withFile(sh *shell.Shell, arg string, use func(a *app.App, path string, named bool) error) error {
	if arg == "" {
		return fail.Usage("the path is empty", "for example: sesskeep file show reader.go")
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	if filepath.IsAbs(arg) {
		return severalHint(use(a, arg, true))
	}
	err = use(a, sh.Absolute([]string{arg})[0], true)
	if errcode.Of(err) == errcode.NotFound && !strings.HasPrefix(arg, "../") {
		return severalHint(use(a, strings.TrimPrefix(arg, "./"), false))
	}
	return err
}

// severalHint names the files of a path that means several.
func severalHint(err error) error {
	var several *versions.SeveralError
	if !errors.As(err, &several) {
		return err
	}
	files := several.Files
	more := ""
	if len(files) > 5 {
		more = fmt.Sprintf(" and %d more", len(files)-5)
		files = files[:5]
	}
	return fail.Hint(err, "name one: "+term.Line(strings.Join(files, ", "))+more)
}

func fileDiffCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use: "diff PATH A [B]", Short: "Compare two versions of a file",
		Long:    "Compare two versions of a file. A and B are what stands behind @ elsewhere; without B it\nis the last content that is known.\n\n" + aboutVersions,
		Example: "  sesskeep file diff reader.go 2d\n  sesskeep file diff reader.go 3987 @last",
		Args:    cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runFileDiff(cmd.Context(), sh, append(args, "")[0:3])
		},
	}
}

func runFileDiff(ctx context.Context, sh *shell.Shell, args []string) error {
	return withFile(sh, args[0], func(a *app.App, path string, _ bool) error {
		c, err := a.Versions.Compare(ctx, path, args[1], args[2])
		if err != nil {
			return err
		}
		sh.Note(saysVersion(&c.Before))
		sh.Note(saysVersion(&c.After))
		return sh.Out.Print(ctx, output.Listing{Value: c, Items: "hunks", Render: func(w io.Writer) error {
			return writeFileDiff(w, sh, c.Path, c.Hunks)
		}})
	})
}

func writeFileDiff(w io.Writer, sh *shell.Shell, path string, hunks []view.Hunk) error {
	out := bufio.NewWriter(w)
	if len(hunks) > 0 {
		name := term.Line(path)
		fmt.Fprintf(out, "%s\n%s\n", sh.Out.Screen.Paint(term.Bold, "--- "+name), sh.Out.Screen.Paint(term.Bold, "+++ "+name))
	}
	for _, h := range hunks {
		output.WriteHunk(out, sh.Out.Screen, h)
	}
	return out.Flush()
}

type restoreFileOptions struct {
	to          string
	dryRun, yes bool
}

func fileRestoreCommand(sh *shell.Shell) *cobra.Command {
	var o restoreFileOptions
	cmd := &cobra.Command{
		Use: "restore PATH@WHEN", Short: "Give a file an earlier content, with undo",
		Long: `Write a version of a file over the file as it is now. You see the difference, and on a
terminal you are asked first, unless you pass --yes. "undo" puts the file back.

The path comes from transcripts, so it is only written in the directory of a project
whose session changed the file, and through no link that leads out of it. --to names
another file, anywhere.

` + aboutVersions + `

Exit codes: 0 fine, also if nothing changes · 2 wrong usage · 3 not known, or several
files · 4 not allowed: use --to · 5 changed by others meanwhile`,
		Example: `  sesskeep file restore reader.go@3987 --dry-run
  sesskeep file restore reader.go@2d --to /tmp/reader.go`,
		Args: shell.OneArg("file"),
		RunE: func(cmd *cobra.Command, args []string) error { return runFileRestore(cmd.Context(), sh, args[0], o) },
	}
	cmd.Flags().StringVar(&o.to, "to", "", "write into this `FILE` instead")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "do not ask")
	return cmd
}

func runFileRestore(ctx context.Context, sh *shell.Shell, arg string, o restoreFileOptions) error {
	path, at := versions.SplitAt(arg)
	if at == "" {
		return fail.Usage("which version?", "for example: sesskeep file restore reader.go@2d")
	}
	if o.to != "" {
		o.to = sh.Absolute([]string{o.to})[0]
	}
	return withFile(sh, path, func(a *app.App, path string, _ bool) error {
		r := versions.RestoreRequest{Path: path, At: at, To: o.to}
		d := acts.Doing{Actor: shell.Actor(sh), DryRun: o.dryRun}
		asks := !o.yes && !o.dryRun && sh.Asks()
		if asks {
			first, err := a.Versions.Restore(ctx, acts.Doing{Actor: d.Actor, DryRun: true}, r)
			if err != nil {
				return err
			}
			if ok, err := agreedToRestore(ctx, sh, &first); err != nil || !ok {
				return err
			}
		}
		out, err := a.Versions.Restore(ctx, d, r)
		if errcode.Of(err) == errcode.Denied && o.to == "" {
			return fail.Hint(err, "for example: --to "+output.Quote(path))
		}
		if err != nil {
			return err
		}
		return sh.Out.Print(ctx, output.Listing{Value: out, Items: "hunks", Render: func(w io.Writer) error {
			if !asks {
				if err := writeFileDiff(w, sh, out.File, out.Hunks); err != nil {
					return err
				}
			}
			return writeRestored(w, sh, &out)
		}})
	})
}

// agreedToRestore shows what would change, and asks.
func agreedToRestore(ctx context.Context, sh *shell.Shell, out *versions.FileRestoration) (bool, error) {
	if !out.Changed {
		return true, nil
	}
	sh.Note(saysVersion(&out.Version))
	if err := writeFileDiff(sh.Stdout, sh, out.File, out.Hunks); err != nil {
		return false, err
	}
	return sh.Yes(ctx), nil
}

func writeRestored(w io.Writer, sh *shell.Shell, out *versions.FileRestoration) error {
	file := term.Line(sh.Tilde(out.File))
	var err error
	switch {
	case !out.Changed:
		_, err = fmt.Fprintf(w, "%s has that content already.\n", file)
	case out.DryRun:
		_, err = fmt.Fprintf(w, "%s would be as of %s.\n", file, output.RFC3339(out.Version.Time))
	default:
		_, err = fmt.Fprintf(w, "%s is as of %s.\nUndo this: %s\n", file, output.RFC3339(out.Version.Time), sh.Command("undo %d", out.Act))
	}
	return err
}
