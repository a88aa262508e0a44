// Package backup has the command backup, which backs up everything about sessions, and the
// commands that list, check and restore backups.
package backup

import (
	"context"
	"fmt"
	"io"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"
	"sesskeep/internal/travel"

	"github.com/spf13/cobra"
)

// Command is "backup" with its subcommands.
func Command(sh *shell.Shell) *cobra.Command {
	var o keyOptions
	cmd := &cobra.Command{
		Use:   "backup DIR|FILE.tar",
		Short: "Back up everything about sessions, and restore it anywhere",
		Long: `Back up everything that belongs to sessions: of Claude's homes the transcripts, agents,
saved outputs, file history, todos, tasks, plans, memory, pastes and prompts; of sesskeep
the copies, labels, trash and settings. Several homes become one backup. Credentials are
never read, and tokens, pairings and what was changed on this machine stay here.

A directory takes any number of backups. What is stored there is not written again: of a
transcript that grew only the new end is. A name that ends in .tar makes one file.

Whenever it is interrupted, the backups from before are whole. --encrypt asks for a
passphrase, and --recipient encrypts for an age public key.

Exit codes: 0 fine · 1 the disk is full · 4 not allowed · 5 another process writes there,
or the file exists · 6 something could not be read, and is not in it`,
		Example: `  sesskeep backup /media/stick/claude
  sesskeep backup --encrypt ~/claude.tar
  sesskeep backup verify /media/stick/claude
  sesskeep backup restore /media/stick/claude --map /Users/me=/home/me`,
		Args: shell.OneArg("directory or file"),
		RunE: func(cmd *cobra.Command, args []string) error { return runBackup(cmd.Context(), sh, o, args[0]) },
	}
	o.registerNew(cmd)
	cmd.AddCommand(lsCommand(sh), verifyCommand(sh), restoreCommand(sh))
	return cmd
}

func runBackup(ctx context.Context, sh *shell.Shell, o keyOptions, path string) error {
	where, err := o.where(sh, path)
	if err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	bar, set := sh.Working("Backing up")
	m, err := a.Travel.Make(ctx, where, set)
	bar.Done()
	if err != nil {
		return explain(sh, err, path)
	}
	if err := sh.Out.Print(ctx, output.Listing{Value: m, Render: func(w io.Writer) error { return writeMade(w, sh, &m) }}); err != nil {
		return err
	}
	if n := len(m.Unread); n > 0 {
		return fail.Partial(fmt.Sprintf("%s could not be read, and the backup lacks %s", output.Plural(n, "file"), them(n)))
	}
	return nil
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func writeMade(w io.Writer, sh *shell.Shell, m *travel.Made) error {
	text := fmt.Sprintf("Backed up %s of %s to %s: %s, %s.\n", output.Plural(m.Sessions, "session"), output.Plural(len(m.Homes), "home"),
		sh.Tilde(m.Path), output.Plural(m.Head.Files, "file"), term.Bytes(m.Size))
	text += fmt.Sprintf("Read %s, wrote %s%s. It is called %s.\n", term.Bytes(m.Read), term.Bytes(m.Stored), encrypted(m), m.ID)
	if !m.Encrypted {
		text += "It contains everything that was said and read, including secrets, and is not encrypted.\n"
	}
	for _, u := range m.Unread {
		text += fmt.Sprintf("Not in it: %s: %s\n", sh.Tilde(u.File), u.Reason)
	}
	_, err := io.WriteString(w, term.Clean(text))
	return err
}

func encrypted(m *travel.Made) string {
	if m.Encrypted {
		return ", encrypted"
	}
	return ""
}
