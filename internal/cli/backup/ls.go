package backup

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"sesskeep/internal/backup"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

func lsCommand(sh *shell.Shell) *cobra.Command {
	var o keyOptions
	cmd := &cobra.Command{
		Use:   "ls DIR|FILE.tar",
		Short: "List the backups in a directory or file",
		Long: `List the backups in a directory or file, the newest first: when they were made, their
homes, and how much they hold.

Exit codes: 0 fine · 3 there is none · 4 the passphrase is wrong · 7 some are damaged`,
		Example: `  sesskeep backup ls /media/stick/claude
  sesskeep backup ls /media/stick/claude --jq '.backups[0].id'`,
		Args: shell.OneArg("directory or file"),
		RunE: func(cmd *cobra.Command, args []string) error { return runLs(cmd.Context(), sh, o, args[0]) },
	}
	o.register(cmd)
	return cmd
}

// Backups is the JSON of backup ls.
type Backups struct {
	Path      string        `json:"path"`
	Encrypted bool          `json:"encrypted"`
	Backups   []backup.Head `json:"backups"`
	Damaged   []string      `json:"damaged"`
	Total     int           `json:"total"`
}

// open opens a repository to read it.
func open(sh *shell.Shell, o keyOptions, path string) (*backup.Repository, error) {
	where, err := o.where(sh, path)
	if err != nil {
		return nil, err
	}
	r, err := backup.Open(where.Path, backup.Options{Now: sh.Now, Key: where.Key})
	if err != nil {
		return nil, explain(sh, err, path)
	}
	sh.AtEnd(r.Close)
	return r, nil
}

func runLs(ctx context.Context, sh *shell.Shell, o keyOptions, path string) error {
	r, err := open(sh, o, path)
	if err != nil {
		return err
	}
	heads, damaged, err := r.List()
	if err != nil {
		return err
	}
	page := Backups{Path: r.Path(), Encrypted: r.Encrypted(), Backups: append([]backup.Head{}, heads...), Damaged: []string{}, Total: len(heads)}
	for _, err := range damaged {
		page.Damaged = append(page.Damaged, err.Error())
		sh.Note(err.Error())
	}
	err = sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "backups", Empty: "There is no backup in " + sh.Tilde(path) + ".",
		Table: func(s term.Screen) *term.Table { return backupTable(sh, s, heads) },
	})
	if err == nil && len(damaged) > 0 {
		err = fail.Damage(output.Plural(len(damaged), "list") + " of backups damaged")
	}
	return err
}

func backupTable(sh *shell.Shell, s term.Screen, heads []backup.Head) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "backup", Style: term.Cyan}, {Title: "made", Right: true}, {Title: "machine"}, {Title: "homes", Flex: true},
		{Title: "files", Right: true}, {Title: "size", Right: true}, {Title: "not read", Right: true},
	}}
	for _, h := range heads {
		var roots []string
		for _, home := range h.Homes {
			roots = append(roots, sh.Tilde(home.Root))
		}
		made, files, size := output.RFC3339(stamp.Time{Time: h.Time}), fmt.Sprint(h.Files), fmt.Sprint(h.Size)
		if s.TTY {
			made, files, size = output.Ago(stamp.Time{Time: h.Time}, sh.Now()), term.Count(h.Files), term.Bytes(h.Size)
		}
		t.Row(output.Cells([]string{h.ID, made, cmp.Or(h.MachineName, h.Machine), strings.Join(roots, ", "), files, size, fmt.Sprint(len(h.Unread))})...)
	}
	return t
}
