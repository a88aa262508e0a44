package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sesskeep/internal/acts"
	"sesskeep/internal/app"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/regular"
	"sesskeep/internal/term"
	"sesskeep/internal/travel"

	"github.com/spf13/cobra"
)

type restoreOptions struct {
	keyOptions
	id    string
	to    string
	homes []string
	maps  []string
	only  []string

	changing shell.Changing
}

func restoreCommand(sh *shell.Shell) *cobra.Command {
	var o restoreOptions
	cmd := &cobra.Command{
		Use:   "restore DIR|FILE.tar",
		Short: "Put back what a backup has and is missing here",
		Long: `Put back what the newest backup has and is missing here: sessions with everything that
belongs to them, copies, labels, the trash and settings. Nothing that is there is
overwritten; what differs is listed and stays. Labels get the ids of this machine.

Homes are restored where they were. On another machine, or for another user, --map
OLD=NEW says what lies elsewhere now: homes, directories of projects and the working
directories in transcripts follow. --to DIR puts one home into another directory. --only
restores some sessions, by the first characters of their ids, or projects, by their
directories.

One undo takes all sessions back that were restored.

Exit codes: 0 fine, also if everything was there · 2 the backup has several homes ·
3 there is no such backup, session or project · 4 the passphrase is wrong · 6 something
that is there differs, and was not restored · 7 the backup is damaged, and the rest was
restored`,
		Example: `  sesskeep backup restore /media/stick/claude --dry-run
  sesskeep backup restore /media/stick/claude --map /Users/me=/home/me
  sesskeep backup restore ~/claude.tar --only 3987 --only ~/work/app
  sesskeep backup restore ~/claude.tar --to ~/.claude-old`,
		Args: shell.OneArg("directory or file"),
		RunE: func(cmd *cobra.Command, args []string) error { return runRestore(cmd.Context(), sh, o, args[0]) },
	}
	o.register(cmd)
	cmd.Flags().StringVar(&o.id, "backup", "", "restore the backup whose `ID` begins so; default: the newest")
	cmd.Flags().StringVar(&o.to, "to", "", "restore a home into `DIR`")
	cmd.Flags().StringArrayVar(&o.homes, "home", nil, "restore only the home with the name or path `HOME`; repeatable")
	cmd.Flags().StringArrayVar(&o.maps, "map", nil, "what lay below OLD lies below NEW now, as `OLD=NEW`; repeatable")
	cmd.Flags().StringArrayVar(&o.only, "only", nil, "restore only the session or project `WHAT`; repeatable")
	_ = cmd.MarkFlagDirname("to")
	o.changing.Register(cmd, "only show what would be restored")
	return cmd
}

// plan works out what is restored, and where to.
func (o *restoreOptions) plan(sh *shell.Shell, path string) (p travel.RestoreOptions, err error) {
	for _, text := range o.maps {
		m, err := travel.ParseMapping(text)
		if err != nil {
			return p, err
		}
		p.Maps = append(p.Maps, m)
	}
	for _, text := range o.only {
		if shell.Exists(sh.Absolute([]string{text})[0]) || text != "" && (text[0] == '~' || text[0] == '.') {
			text = sh.Absolute([]string{text})[0]
		}
		p.Only = append(p.Only, text)
	}
	if p.From, err = open(sh, o.keyOptions, path); err != nil {
		return p, err
	}
	if p.Backup, err = p.From.Load(o.id); err != nil {
		return p, explain(sh, err, path)
	}
	to := ""
	if o.to != "" {
		to = sh.Absolute([]string{o.to})[0]
	}
	p.Targets, err = travel.Targets(p.Backup, to, o.homes, p.Maps)
	if err != nil {
		err = fail.Hint(err, "name one with --home; "+sh.Command("backup ls %s --jq .backups[0].homes", path)+" lists them")
	}
	return p, err
}

func runRestore(ctx context.Context, sh *shell.Shell, o restoreOptions, path string) error {
	p, err := o.plan(sh, path)
	if err != nil {
		return err
	}
	made, err := o.makeRoots(sh, p.Targets)
	if err != nil {
		return err
	}
	defer func() {
		for _, root := range made {
			_ = os.Remove(root) // which only succeeds if it is empty
		}
	}()
	tr, err := o.travel(sh, p.Targets)
	if err != nil {
		return err
	}
	bar, set := sh.Working("Restoring")
	r, err := tr.Restore(ctx, acts.Doing{Actor: shell.Actor(sh), DryRun: o.changing.DryRun}, p, set)
	bar.Done()
	if err != nil {
		return explain(sh, err, path)
	}
	if err := sh.Out.Print(ctx, output.Listing{Value: r, Render: func(w io.Writer) error { return writeRestored(w, sh, &r) }}); err != nil {
		return err
	}
	return restoreError(&r)
}

// restoreError returns an error if not everything was restored.
func restoreError(r *travel.Restored) error {
	switch {
	case len(r.Lost) > 0:
		return fail.Hint(fail.Damage(output.Plural(len(r.Lost), "file")+" of the backup cannot be read; the rest was restored"), "an older backup may have them: --backup ID")
	case len(r.Kept) > 0:
		return fail.Partial(output.Plural(len(r.Kept), "thing") + " that differ stayed as they are")
	}
	return nil
}

// makeRoots creates the missing homes, and returns them.
func (o *restoreOptions) makeRoots(sh *shell.Shell, targets []travel.Target) (made []string, err error) {
	for _, t := range targets {
		if shell.Exists(t.Root) {
			continue
		}
		above := filepath.Dir(t.Root)
		if _, err := os.Stat(above); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return made, err
		}
		if !shell.Exists(above) {
			return made, fail.Missing("there is no directory "+above+" here, in which the home lay",
				fmt.Sprintf("say what it is called here, such as --map %s=%s, or name a directory with --to", above, sh.Home))
		}
		if o.changing.DryRun {
			continue
		}
		if err := regular.MkdirAll(t.Root, 0o700); err != nil {
			return made, err
		}
		made = append(made, t.Root)
	}
	return made, nil
}

// travel opens the homes to restore to. In a dry run missing homes are left out.
func (o *restoreOptions) travel(sh *shell.Shell, targets []travel.Target) (*travel.Travel, error) {
	sh.Flags.ClaudeDirs = nil
	for _, t := range targets {
		if shell.Exists(t.Root) {
			sh.Flags.ClaudeDirs = append(sh.Flags.ClaudeDirs, t.Root)
		}
	}
	if len(sh.Flags.ClaudeDirs) == 0 {
		s, err := sh.Shelf()
		if err != nil {
			return nil, err
		}
		return app.Nowhere(s, sh.Now), nil
	}
	a, err := sh.OpenWith(app.Options{})
	if err != nil {
		return nil, err
	}
	return a.Travel, nil
}

// besides lists what was restored besides files of homes.
func besides(r *travel.Restored) string {
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(text, output.Plural(n, "session")))
		}
	}
	add(r.Labels, "the labels of %s")
	add(r.Copies-r.Mended, "the copies of %s")
	add(r.Mended, "the copies of %s, which were damaged here")
	add(r.Trash, "%s in the trash")
	if n := len(r.Settings); n > 0 {
		parts = append(parts, output.Plural(n, "file")+" with settings")
	}
	if len(parts) == 0 {
		return ""
	}
	return "Also: " + strings.Join(parts, ", ") + ".\n"
}

// listed is how many files the text lists; --json has all.
const listed = 20

func writeRestored(w io.Writer, sh *shell.Shell, r *travel.Restored) error {
	text, would := "", ""
	if r.DryRun {
		would = "would be "
	}
	for _, h := range r.Homes {
		text += fmt.Sprintf("%s: %s %srestored, %s, %s", sh.Tilde(h.Root), output.Plural(h.Sessions, "session"), would, output.Plural(h.Files, "file"), term.Bytes(h.Size))
		if h.Present > 0 {
			text += fmt.Sprintf("; %s there already", output.Were(h.Present, "file"))
		}
		text += ".\n"
	}
	text += besides(r)
	for n, k := range r.Kept {
		if n == listed {
			text += fmt.Sprintf("… and %d more\n", len(r.Kept)-n)
			break
		}
		text += fmt.Sprintf("Left alone: %s: %s\n", sh.Tilde(k.File), k.Reason)
	}
	for n, file := range r.Lost {
		if n == listed {
			text += fmt.Sprintf("… and %d more\n", len(r.Lost)-n)
			break
		}
		text += "Lost: " + file + "\n"
	}
	if r.Act > 0 {
		text += "Undo this: " + sh.Command("undo") + "\n"
	}
	_, err := io.WriteString(w, term.Clean(text))
	return err
}
