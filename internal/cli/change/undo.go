package change

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"sesskeep"
	"sesskeep/internal/acts"
	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/errcode"
	"sesskeep/internal/shelf"
	"sesskeep/internal/term"
	"sesskeep/internal/undo"
	"sesskeep/internal/view"

	"github.com/spf13/cobra"
)

type undoOptions struct {
	id     int
	list   bool
	dryRun bool
}

// UndoCommand is "undo".
func UndoCommand(sh *shell.Shell) *cobra.Command {
	var o undoOptions
	cmd := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Undo a change that sesskeep made",
		Long: `Undo the last change that sesskeep made, or the one with the number ID: in Claude's home,
or to what you added to sessions. Changes that one command made to several sessions are
undone together; with an ID, only that one.

A file that has not changed since gets exactly its old bytes back. What others have
changed since is never overwritten: then only the part that sesskeep added is removed, or
nothing is done.

Only the homes in use are touched: the usual one, or those named by --claude-dir,
CLAUDE_CONFIG_DIR or --demo. --list --all lists the changes in every home.

An undo can be undone too, by its own number.

Exit codes: 0 fine · 1 failed · 2 made in another home · 3 no such change, or nothing
left to undo · 4 not allowed · 5 changed by others since, or another process is writing ·
6 some of several changes could not be undone`,
		Example: `  sesskeep undo --list
  sesskeep undo --dry-run
  sesskeep undo
  sesskeep undo 3`,
		Args: shell.MaybeArg("change"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) > 0 {
				if o.id, err = strconv.Atoi(args[0]); err != nil || o.id < 1 {
					return fail.Usage(fmt.Sprintf("undo: %q is not the number of a change", args[0]), `"sesskeep undo --list" shows them`)
				}
			}
			switch {
			case o.list && o.id > 0:
				return fail.Usage("undo: --list takes no number", "leave one of them out")
			case o.list && o.dryRun:
				return fail.Usage("undo: --list changes nothing: --dry-run does not apply", "leave one of them out")
			case sh.Flags.All && !o.list:
				return fail.Usage("undo: --all only applies to --list", `"sesskeep undo" undoes the last change, "sesskeep undo ID" any other`)
			case o.list:
				return runActs(cmd.Context(), sh, actsOptions{command: "undo --list"})
			}
			return runUndo(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.list, "list", false, "list the changes that were made, newest first")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	return cmd
}

// Undone is what --json writes.
type Undone struct {
	Undoes  int         `json:"undoes"`
	Verb    string      `json:"verb"` // of the change
	What    string      `json:"what,omitempty"`
	Session string      `json:"sessionId,omitempty"` // the key of the session it was about
	File    string      `json:"file"`
	Act     int         `json:"actId,omitempty"` // of the undo itself
	Backup  string      `json:"backup,omitempty"`
	Removed bool        `json:"removed"`          // there is no such file any more
	Partly  bool        `json:"partly,omitempty"` // others changed the file since: only our part went
	Diff    []view.Hunk `json:"diff,omitempty"`
	Error   string      `json:"error,omitempty"`
	// Together are all changes of the command that is taken back, if it made several.
	Together []Undone `json:"together,omitempty"`
}

func runUndo(ctx context.Context, sh *shell.Shell, o undoOptions) error {
	s, err := sh.Shelf()
	if err != nil {
		return err
	}
	shell.NoteAltered(sh, s)
	if o.dryRun {
		shell.NoteUnfinished(sh, s)
	} else if err := shell.Recover(ctx, sh, s); err != nil {
		return err
	}
	roots, err := sh.Roots()
	if err != nil {
		return err
	}
	options := undo.Options{ID: o.id, Homes: roots, Actor: shell.Actor(sh)}
	if o.id > 0 {
		c, err := undo.Plan(ctx, s, options)
		if err != nil {
			return undoError(o, err)
		}
		u, err := undoOne(ctx, s, c, o)
		if err != nil {
			return err
		}
		return sh.Out.Print(ctx, output.Listing{Value: u, Render: func(w io.Writer) error { return writeUndone(w, sh, u) }})
	}
	changes, errs, err := undo.PlanTogether(ctx, s, options)
	if err != nil {
		return undoError(o, err)
	}
	return undoAll(ctx, sh, s, changes, errs, o)
}

// undoAll takes back what one command did.
func undoAll(ctx context.Context, sh *shell.Shell, s *shelf.Shelf, changes []acts.Change, errs []error, o undoOptions) error {
	list, failed := make([]Undone, len(changes)), 0
	for i, c := range changes {
		if errs[i] == nil {
			list[i], errs[i] = undoOne(ctx, s, c, o)
		}
		if errs[i] == nil {
			continue
		}
		if len(changes) == 1 {
			return undoError(o, errs[i])
		}
		failed++
		list[i] = Undone{Undoes: c.Plan.Undoes, Session: c.Plan.Session, File: c.File, Error: errs[i].Error()}
	}
	u := list[0]
	if len(list) > 1 {
		u.Together = list
	}
	err := sh.Out.Print(ctx, output.Listing{Value: u, Render: func(w io.Writer) error {
		if len(list) == 1 {
			return writeUndone(w, sh, u)
		}
		return writeAllUndone(w, list, o)
	}})
	if err == nil && failed > 0 {
		err = fail.Partial(fmt.Sprintf("%d of %s could not be taken back", failed, output.Plural(len(list), "change")))
	}
	return err
}

// undoOne takes one change back, or shows what that would do.
func undoOne(ctx context.Context, s *shelf.Shelf, c acts.Change, o undoOptions) (Undone, error) {
	u := Undone{
		Undoes: c.Plan.Undoes, Verb: c.Verb, What: c.Plan.What, Session: c.Plan.Session, File: c.File,
		Removed: c.Removes(), Partly: c.Partly,
	}
	if o.dryRun {
		u.Diff = output.SettingsDiff(c)
		return u, nil
	}
	a, err := s.Do(ctx, c.Plan)
	if err == nil {
		u.Act, u.Backup = a.ID, s.Backup(a)
		s.Prune()
	}
	return u, err
}

// undoError says what to do about a change that cannot be undone.
func undoError(o undoOptions, err error) error {
	var elsewhere *shelf.ElsewhereError
	switch {
	case errors.As(err, &elsewhere):
		return fail.Usage(fmt.Sprintf("%v; give --claude-dir %s", err, output.Quote(elsewhere.Home)), "")
	case errors.Is(err, errcode.ErrPurged):
		return fail.Hint(err, `"sesskeep undo ID" undoes an earlier change; "sesskeep log" lists them`)
	case errors.Is(err, sesskeep.ErrNotFound) && o.id == 0:
		return fail.Missing("nothing to undo", `"sesskeep undo --list" shows what was done`)
	case errors.Is(err, sesskeep.ErrNotFound):
		return fail.Hint(err, `"sesskeep undo --list" shows what can be undone`)
	}
	return err
}

func writeUndone(w io.Writer, sh *shell.Shell, u Undone) error {
	out := bufio.NewWriter(w)
	file := term.Line(sh.Tilde(u.File))
	switch {
	case u.Error != "":
		fmt.Fprintf(out, "Not undone: change %d: %s\n", u.Undoes, term.Line(u.Error))
	case u.Act == 0 && u.Session != "":
		fmt.Fprintf(out, "Would be undone: change %d, %s of %s\n", u.Undoes, term.Line(output.Joined(" ", u.Verb, u.What)), output.Head(u.Session, 8))
	case u.Act == 0:
		fmt.Fprintf(out, "%s\n%s\n", sh.Out.Screen.Paint(term.Bold, "--- "+file), sh.Out.Screen.Paint(term.Bold, "+++ "+file))
		for _, h := range u.Diff {
			output.WriteHunk(out, sh.Out.Screen, h)
		}
	case u.Session != "":
		fmt.Fprintf(out, "Undone: change %d, %s of %s\nUndo this: %s\n", u.Undoes, term.Line(output.Joined(" ", u.Verb, u.What)), output.Head(u.Session, 8), sh.Command("undo %d", u.Act))
	default:
		fmt.Fprintf(out, "Undone: change %d, %s %s\nUndo this: %s\n", u.Undoes, file, became(u), sh.Command("undo %d", u.Act))
	}
	return out.Flush()
}

// writeAllUndone lists the changes of one command.
func writeAllUndone(w io.Writer, list []Undone, o undoOptions) error {
	out := bufio.NewWriter(w)
	for _, u := range list {
		word := "Undone"
		switch {
		case u.Error != "":
			fmt.Fprintf(out, "Not undone: change %d: %s\n", u.Undoes, term.Line(u.Error))
			continue
		case o.dryRun:
			word = "Would be undone"
		}
		fmt.Fprintf(out, "%s: change %d, %s of %s\n", word, u.Undoes, term.Line(output.Joined(" ", u.Verb, u.What)), output.Head(u.Session, 8))
	}
	return out.Flush()
}

// became says what a file is after an undo.
func became(u Undone) string {
	switch {
	case u.Removed:
		return "is gone again"
	case u.Partly:
		return "was changed by others since: only our part was taken out"
	}
	return "is as it was"
}
