package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"sesskeep"
	"sesskeep/internal/app"
	"sesskeep/internal/term"
	"sesskeep/internal/view"

	"github.com/spf13/cobra"
)

type undoOptions struct {
	id     int
	list   bool
	dryRun bool
}

func undoCommand(sh *shell) *cobra.Command {
	var o undoOptions
	cmd := &cobra.Command{
		Use:   "undo [ID]",
		Short: "Take back a change that was made in Claude's home",
		Long: `Take back the last change sesskeep made in Claude's home, or the one with the number ID.
A file that is still as it was left gets its very bytes back. What others changed since
is never overwritten: then only our own part is taken out, or nothing is done.

Only the homes that are read are touched: the usual one, or those that --claude-dir,
CLAUDE_CONFIG_DIR or --demo name. --list --all lists the changes of every home.

An undo can be undone by its own number.

Exit codes: 0 fine · 1 failed · 2 made in another home · 3 no such change, or nothing
left to undo · 4 not allowed · 5 changed by others since, or somebody else is writing`,
		Example: `  sesskeep undo --list
  sesskeep undo --dry-run
  sesskeep undo
  sesskeep undo 3`,
		Args: maybeArg("change"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) > 0 {
				if o.id, err = strconv.Atoi(args[0]); err != nil || o.id < 1 {
					return usageError{fmt.Sprintf("undo: %q is no number of a change", args[0]), `"sesskeep undo --list" shows them`}
				}
			}
			switch {
			case o.list && o.id > 0:
				return usageError{"undo: --list takes no number", "leave one of them out"}
			case o.list && o.dryRun:
				return usageError{"undo: --list changes nothing: --dry-run has no meaning with it", "leave one of them out"}
			case o.list:
				return runUndoList(cmd.Context(), sh)
			}
			return runUndo(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.list, "list", false, "list the changes that were made, the last first")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "only show what would change")
	return cmd
}

// shelf is what makes changes below Claude's home.
func (sh *shell) shelf() (*app.Shelf, error) {
	dir, err := sh.dirs().Data()
	if err != nil {
		return nil, err
	}
	return app.NewShelf(dir, sh.Now), nil
}

// actor is whoever runs this command.
func (sh *shell) actor() app.Actor {
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if user := sh.Getenv(name); user != "" {
			return app.Actor{User: user, From: "cli"}
		}
	}
	return app.Actor{From: "cli"}
}

// settle finishes what a crash interrupted, and says so.
func (sh *shell) settle(ctx context.Context, s *app.Shelf) error {
	a, err := s.Settle(ctx)
	if err != nil || a == nil {
		return err
	}
	what := fmt.Sprintf("change %d (%s) of %s was interrupted", a.ID, a.Verb, fileNames(a.Files()))
	switch a.State {
	case app.ActDone:
		sh.note(what + ", and is finished now")
	case app.ActDropped:
		sh.note(what + ", and could not be finished: everything is as it was before it")
	default:
		sh.note(what + ", and can neither be finished nor taken back: " + a.Problem)
	}
	return nil
}

// fileNames names the files of an act in a few words.
func fileNames(files []string) string {
	switch len(files) {
	case 0:
		return ""
	case 1:
		return files[0]
	}
	return fmt.Sprintf("%s and %d more", files[0], len(files)-1)
}

// undone is what --json writes.
type undone struct {
	Undoes  int         `json:"undoes"`
	File    string      `json:"file"`
	Act     int         `json:"actId,omitempty"` // of the undo itself
	Backup  string      `json:"backup,omitempty"`
	Removed bool        `json:"removed"`          // there is no such file any more
	Partly  bool        `json:"partly,omitempty"` // others changed the file since: only our part went
	Diff    []view.Hunk `json:"diff,omitempty"`

	more int // files besides
}

func runUndo(ctx context.Context, sh *shell, o undoOptions) error {
	s, err := sh.shelf()
	if err != nil {
		return err
	}
	if !o.dryRun {
		if err := sh.settle(ctx, s); err != nil {
			return err
		}
	}
	roots, err := sh.roots()
	if err != nil {
		return err
	}
	c, err := app.Undo(s, app.UndoOptions{ID: o.id, Homes: roots, Actor: sh.actor()})
	if err != nil {
		return sh.undoError(o, err)
	}
	u := undone{Undoes: c.Plan.Undoes, File: c.File, Removed: c.Removes(), Partly: c.Partly, more: len(c.Plan.Steps) - 1}
	if o.dryRun {
		u.Diff = settingsDiff(c)
	} else {
		a, err := s.Do(ctx, c.Plan)
		if err != nil {
			return err
		}
		u.Act, u.Backup = a.ID, s.Backup(a)
	}
	return sh.print(ctx, listing{value: u, render: func(w io.Writer) error { return writeUndone(w, sh, u) }})
}

// undoError says what to do about a change that cannot be undone.
func (sh *shell) undoError(o undoOptions, err error) error {
	var elsewhere *app.ElsewhereError
	switch {
	case errors.As(err, &elsewhere):
		return usageError{fmt.Sprintf("%v; give --claude-dir %s", err, quote(elsewhere.Home)), ""}
	case errors.Is(err, sesskeep.ErrNotFound) && o.id == 0:
		return missingError{"nothing to undo", `"sesskeep undo --list" shows what was done`}
	case errors.Is(err, sesskeep.ErrNotFound):
		return hinted{err, `"sesskeep undo --list" shows what can be undone`}
	}
	return err
}

func writeUndone(w io.Writer, sh *shell, u undone) error {
	out := bufio.NewWriter(w)
	file := term.Line(sh.tilde(u.File))
	if u.Act == 0 {
		fmt.Fprintf(out, "%s\n%s\n", sh.screen.Paint(term.Bold, "--- "+file), sh.screen.Paint(term.Bold, "+++ "+file))
		for _, h := range u.Diff {
			writeHunk(out, sh.screen, h)
		}
		return out.Flush()
	}
	became := "is as it was"
	switch {
	case u.Removed:
		became = "is gone again"
	case u.Partly:
		became = "was changed by others since: only our part was taken out"
	}
	if u.more > 0 {
		became += fmt.Sprintf(", and so are %d more", u.more)
	}
	fmt.Fprintf(out, "Undone: change %d, %s %s\nUndo this: sesskeep undo %d\n", u.Undoes, file, became, u.Act)
	return out.Flush()
}

// actPage is what --json writes.
type actPage struct {
	Acts []actRow `json:"acts"`
	More bool     `json:"hasMore"` // there are older ones
}

// actRow is an act without its steps, which are the journal's own.
type actRow struct {
	ID        int          `json:"id"`
	Timestamp app.Stamp    `json:"timestamp"`
	Verb      string       `json:"verb"`
	Actor     app.Actor    `json:"actor"`
	Root      string       `json:"root"`
	SessionID string       `json:"sessionId,omitempty"`
	State     app.ActState `json:"state"`
	Problem   string       `json:"problem,omitempty"`
	Undoes    int          `json:"undoes,omitempty"` // of an undo: the act
	Tag       string       `json:"tag,omitempty"`    // of its files beside those it changes
	Files     []string     `json:"files"`
}

func newActRow(a *app.Act) actRow {
	return actRow{
		ID: a.ID, Timestamp: app.Stamp{Time: a.Time}, Verb: a.Verb, Actor: a.Actor, Root: a.Home, SessionID: a.Session,
		State: a.State, Problem: a.Problem, Undoes: a.Undoes, Tag: a.Tag, Files: append([]string{}, a.Files()...),
	}
}

func runUndoList(ctx context.Context, sh *shell) error {
	limit, err := sh.limit()
	if err != nil {
		return err
	}
	s, err := sh.shelf()
	if err != nil {
		return err
	}
	if err := sh.settle(ctx, s); err != nil && !errors.Is(err, app.ErrHeld) {
		return err
	}
	roots, err := sh.roots()
	if err != nil {
		return err
	}
	page := actPage{Acts: []actRow{}}
	others := 0
	for a, err := range s.Acts() {
		if err != nil {
			return err
		}
		if !sh.flags.all && !a.In(roots) {
			others++
			continue
		}
		if page.More = limit > 0 && len(page.Acts) == limit; page.More {
			break
		}
		page.Acts = append(page.Acts, newActRow(&a))
	}
	empty := "Nothing was changed in Claude's home."
	if others > 0 {
		empty = fmt.Sprintf("Nothing was changed here. %s of other homes: sesskeep undo --list --all", plural(others, "change"))
	}
	return sh.print(ctx, listing{
		value: page, items: "acts",
		table: func(s term.Screen) *term.Table { return actTable(sh, s, page.Acts) },
		empty: empty,
	})
}

func actTable(sh *shell, s term.Screen, acts []actRow) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Right: true, Style: term.Yellow, Min: uncut}, {Title: "when"}, {Title: "change"}, {Title: "state"}, {Title: "file", Flex: true, Min: 20},
	}}
	for _, a := range acts {
		what, when, file := a.Verb, a.Timestamp.Format(time.RFC3339), fileNames(a.Files)
		if a.Undoes > 0 {
			what += " " + strconv.Itoa(a.Undoes)
		}
		if s.TTY {
			when, file = term.Ago(a.Timestamp.Time, sh.Now()), sh.tilde(file)
		}
		t.Row(term.Cell{Text: strconv.Itoa(a.ID)}, term.Cell{Text: when}, term.Cell{Text: what}, term.Cell{Text: string(a.State)}, term.Cell{Text: file})
	}
	return t
}
