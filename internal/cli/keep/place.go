package keep

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/keeping"
	"sesskeep/internal/term"
	"sesskeep/internal/vault"

	"github.com/spf13/cobra"
)

func keepMirrorCommand(sh *shell.Shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "place",
		Short: "Keep every copy in a second place too, such as on another disk",
		Long: `Keep every copy in a second place too, such as on another disk. "keep now", the hook and
every sesskeep that stays open copy there what is new. While the disk is not plugged in,
"keep status" says since when, and how many sessions changed; once it is there again, it
is caught up. What was removed for good meanwhile is removed there too.

If one of the two places loses copies, or some of their bits, they come back from the
other one.`,
		Example: "  sesskeep keep place add /mnt/usb\n  sesskeep keep place ls\n  sesskeep keep place sync",
		Args:    shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fail.Usage("keep place: which subcommand?", `"sesskeep keep place --help" lists them`)
		},
	}
	cmd.AddCommand(mirrorAddCommand(sh), mirrorListCommand(sh), mirrorSyncCommand(sh), mirrorRemoveCommand(sh))
	return cmd
}

func mirrorAddCommand(sh *shell.Shell) *cobra.Command {
	adopt := false
	cmd := &cobra.Command{
		Use:   "add DIR",
		Short: "Keep every copy in a directory too",
		Long: `Keep every copy below DIR too, in a directory sesskeep-copies, and copy what there is.
DIR must exist. Copies are not encrypted: use a disk that is, if others can get hold of
it.

A directory with the copies of another sesskeep, such as of another machine or of one
whose data was lost, is refused. With --adopt it becomes the second place, and what only
it has comes back. Where both have copies of the same session that do not come from each
other, both keep theirs, and the exit code is 6.

Exit codes: 0 everything is copied · 5 it has the copies of another sesskeep, or another
one is copying · 6 something could not be copied`,
		Example: "  sesskeep keep place add /mnt/usb\n  sesskeep keep place add /mnt/usb --adopt",
		Args:    shell.OneArg("directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runMirrorAdd(cmd.Context(), sh, workPath(sh, args[0]), adopt)
		},
	}
	cmd.Flags().BoolVar(&adopt, "adopt", false, "take over the copies that another sesskeep made there")
	return cmd
}

// MirrorsPage lists second places.
type MirrorsPage struct {
	Mirrors []keeping.MirrorStatus `json:"places"`
	Total   int                    `json:"total"`
}

// MirrorsSynced says what was copied to second places.
type MirrorsSynced struct {
	Mirrors []keeping.MirrorReport `json:"places"`
	Total   int                    `json:"total"`
}

func runMirrorAdd(ctx context.Context, sh *shell.Shell, dir string, adopt bool) error {
	info, err := os.Stat(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !info.IsDir() {
		return fail.Usage("keep place add: there is no directory "+sh.Tilde(dir), "create it first, or plug in its disk")
	}
	a, err := sh.OpenWith(app.Options{})
	if err != nil {
		return err
	}
	if _, err := a.Keep.AddMirror(ctx, dir, adopt); err != nil {
		return err
	}
	if p, err := a.Keep.Policy(); err == nil && !p.On {
		sh.Note("copies are not kept yet: " + sh.Command("keep on"))
	}
	return syncMirrors(ctx, sh, a, vault.SyncOptions{})
}

func mirrorSyncCommand(sh *shell.Shell) *cobra.Command {
	check := false
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Give the second places what they lack",
		Long: `Give the second places what they lack, and the first one what it has lost. "keep now"
does this too, after it has copied what is new.

--check reads all copies in both places, and mends those that are damaged in one of them
from the other.

Exit codes: 0 everything is in both places · 5 another process is writing · 6 a place is
not there, or something could not be copied`,
		Example: "  sesskeep keep place sync\n  sesskeep keep place sync --check",
		Args:    shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := sh.OpenWith(app.Options{})
			if err != nil {
				return err
			}
			return syncMirrors(cmd.Context(), sh, a, vault.SyncOptions{Check: check})
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "read all copies, and mend damaged ones")
	return cmd
}

func syncMirrors(ctx context.Context, sh *shell.Shell, a *app.App, o vault.SyncOptions) error {
	bar, set := sh.Working("Copying")
	o.Progress = set
	list, err := a.Keep.SyncMirrors(ctx, o)
	bar.Done()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fail.Usage("the copies have no second place", sh.Command("keep place add DIR")+" adds one")
	}
	damaged := a.Keep.Damage()
	for i := range list {
		list[i].Problems = append(list[i].Problems, damaged...)
	}
	err = sh.Out.Print(ctx, output.Listing{Value: MirrorsSynced{list, len(list)}, Items: "places", Render: func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for i := range list {
			writeMirrorReport(out, sh, &list[i])
		}
		return out.Flush()
	}})
	for i := range list {
		if r := &list[i]; err == nil && (r.Away != "" || r.Stopped != "" || len(r.Problems) > 0) {
			err = fail.Partial("not everything is in both places")
		}
	}
	return err
}

// writeMirrorReport says what was done with a second place.
func writeMirrorReport(out io.Writer, sh *shell.Shell, r *keeping.MirrorReport) {
	at := term.Line(sh.Tilde(r.Dir))
	switch {
	case r.Away != "":
		fmt.Fprintf(out, "Second place %s: %s\n", at, mirrorAway(sh, &r.MirrorStatus))
		return
	case r.Stopped != "":
		fmt.Fprintf(out, "Second place %s: stopped: %s\n", at, term.Line(r.Stopped))
	case r.Copied+r.Restored+r.Mended == 0 && len(r.Problems) == 0:
		fmt.Fprintf(out, "Second place %s: every copy is there too.\n", at)
		return
	}
	if r.Copied > 0 {
		fmt.Fprintf(out, "Second place %s: copied %s, %s.\n", at, output.Plural(r.Copied, "session"), term.Bytes(r.Bytes))
	}
	if r.Restored > 0 {
		fmt.Fprintf(out, "Second place %s: %s back from there, lost in the first place.\n", at, output.Plural(r.Restored, "session"))
	}
	if r.Mended > 0 {
		fmt.Fprintf(out, "Second place %s: %s mended, damaged in one of the places.\n", at, output.Plural(r.Mended, "session"))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(out, "Second place %s: %s: %s\n", at, term.Line(p.File), term.Line(p.Reason))
	}
}

// mirrorAway says why a second place cannot be reached, and what it lacks.
func mirrorAway(sh *shell.Shell, m *keeping.MirrorStatus) string {
	text := m.Away
	if !m.Synced.IsZero() {
		text += fmt.Sprintf("; complete %s ago", since(m.Synced, sh.Now()))
	}
	if m.Behind > 0 {
		text += fmt.Sprintf(", %s changed since", output.Plural(m.Behind, "session"))
	}
	if m.Waiting > 0 {
		text += fmt.Sprintf(", %s to be removed there", output.Plural(m.Waiting, "session"))
	}
	return term.Line(text)
}

func mirrorListCommand(sh *shell.Shell) *cobra.Command {
	return &cobra.Command{
		Use:     "ls",
		Short:   "List the second places",
		Example: "  sesskeep keep place ls",
		Args:    shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := sh.OpenWith(app.Options{})
			if err != nil {
				return err
			}
			list, err := a.Keep.Mirrors()
			if err != nil {
				return err
			}
			return sh.Out.Print(cmd.Context(), output.Listing{Value: MirrorsPage{list, len(list)}, Items: "places", Render: func(w io.Writer) error {
				r := output.NewChecklist(w, sh.Out.Screen)
				writeMirrors(&r, sh, list)
				if len(list) == 0 {
					r.Say(output.Notable, "the copies have no second place: %s", sh.Command("keep place add DIR"))
				}
				return r.Flush()
			}})
		},
	}
}

// writeMirrors says how second places are.
func writeMirrors(r *output.Checklist, sh *shell.Shell, list []keeping.MirrorStatus) {
	for i := range list {
		m := &list[i]
		switch {
		case m.Away != "":
			r.Say(output.Notable, "second place %s: %s", sh.Tilde(m.Dir), mirrorAway(sh, m))
		case m.Behind > 0 || m.Waiting > 0 || m.Synced.IsZero():
			r.Say(output.Notable, "second place %s lacks changes of %s: %s", sh.Tilde(m.Dir), output.Plural(m.Behind+m.Waiting, "session"), sh.Command("keep place sync"))
		default:
			r.Say(output.Fine, "every copy is in %s too", sh.Tilde(m.Dir))
		}
	}
}

func mirrorRemoveCommand(sh *shell.Shell) *cobra.Command {
	force := false
	cmd := &cobra.Command{
		Use:   "remove DIR",
		Short: "Copy nothing more to a second place",
		Long: `Copy nothing more to a second place. What is there stays: delete its directory
sesskeep-copies to get rid of it.

A place that still has copies of what was removed for good is only removed with --force:
nobody would remove them from it any more.

Exit codes: 0 removed · 3 no such place · 5 it still has copies that were removed for good`,
		Example: "  sesskeep keep place remove /mnt/usb",
		Args:    shell.OneArg("directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := sh.OpenWith(app.Options{})
			if err != nil {
				return err
			}
			m, err := a.Keep.RemoveMirror(cmd.Context(), workPath(sh, args[0]), force)
			if err != nil {
				return err
			}
			return sh.Out.Print(cmd.Context(), output.Listing{Value: m, Render: func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "Nothing more is copied to %s. The copies there stay.\n", term.Line(sh.Tilde(m.Dir)))
				return err
			}})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "even if it still has copies of what was removed for good")
	return cmd
}
