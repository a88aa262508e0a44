package show

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"sync"

	"sesskeep/internal/app"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"
	"sesskeep/internal/versions"

	"github.com/spf13/cobra"
)

// BlameCommand is "blame".
func BlameCommand(sh *shell.Shell) *cobra.Command {
	var commits bool
	cmd := &cobra.Command{
		Use: "blame PATH[@WHEN][:LINE[-LINE]]", Short: "Show which prompt, session and day wrote each line of a file",
		Long: `Show for each line of a file the session that wrote it, when, and the prompt that led to
it. "outside" are lines that no session wrote with its tools: people, other programs and
commands of the shell. "unknown" are lines that a change which cannot be replayed may
have written. A file that was moved by mv or git mv in a session keeps its lines.

The file is the one on the disk, where it is there, or the last content that is known;
@WHEN picks an earlier one. The address leads to the change: sesskeep show ADDRESS.

--commits asks git too: which commit each line came with, and which session made or
pushed that commit. A line without one is not in the last commit. git runs without hooks
and filters of the repository, and reads no file of it but its objects.

Exit codes: 0 fine · 2 wrong usage · 3 no session knows the file, or several files`,
		Example: "  sesskeep blame reader.go\n  sesskeep blame reader.go --commits\n  sesskeep blame reader.go:40-60\n  sesskeep blame reader.go --json",
		Args:    shell.OneArg("file"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runBlame(cmd.Context(), sh, args[0], commits) },
	}
	cmd.Flags().BoolVar(&commits, "commits", false, "add the commit of each line, and who made it")
	return cmd
}

// lineRange is a line, or some lines, behind a path.
var lineRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+):(\d+)(?:-(\d+))?$`) })

func runBlame(ctx context.Context, sh *shell.Shell, arg string, commits bool) error {
	r := versions.BlameRequest{Commits: commits}
	if m := lineRange().FindStringSubmatch(arg); m != nil {
		arg = m[1]
		r.From, _ = strconv.Atoi(m[2])
		r.To, _ = strconv.Atoi(m[3])
	}
	arg, r.At = versions.SplitAt(arg)
	return withFile(sh, arg, func(a *app.App, path string, named bool) error {
		r.Path, r.Named = path, named
		page, err := a.Versions.Blame(ctx, r)
		if err != nil {
			return err
		}
		for _, u := range page.Coverage.Unreadable {
			if u.Path == page.Path { // of what lies in the homes the end of the command says it
				sh.Miss(&fs.PathError{Op: "read", Path: u.Path, Err: errors.New(u.Reason)})
			}
		}
		return sh.Out.Print(ctx, output.Listing{
			Value: page, Items: "lines",
			Table:  func(s term.Screen) *term.Table { return blameTable(s, &page, sh, commits) },
			Footer: fmt.Sprintf("%s of %s, %s", output.Plural(len(page.Lines), "line"), term.Line(page.Path), blamed(&page)),
			Empty:  "The file is empty.",
		})
	})
}

// blamed says how many lines are from where.
func blamed(page *versions.BlamePage) string {
	count := map[string]int{}
	for i := range page.Lines {
		count[page.Lines[i].Origin]++
	}
	return fmt.Sprintf("%d by sessions, %d outside, %d unknown", count[versions.FromSession], count[versions.FromOutside], count[versions.FromUnknown])
}

// hues tell sessions apart.
var hues = []term.Style{term.Yellow, term.Cyan, term.Green, term.Magenta, term.Blue, term.Red}

func blameTable(s term.Screen, page *versions.BlamePage, sh *shell.Shell, commits bool) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "when", Right: true}, {Title: "address", Min: output.Uncut}, {Title: "prompt", Flex: true, Min: 16},
		{Title: "line", Right: true, Style: term.Dim}, {Title: "text", Flex: true, Min: 30},
	}}
	hue := map[string]term.Style{}
	last := -2
	for i := range page.Lines {
		l := &page.Lines[i]
		cells := []term.Cell{{}, {Text: l.Origin, Style: term.Dim}, {}, {Text: strconv.Itoa(l.Number)}, {Text: l.Text}}
		if l.Change >= 0 {
			w := &page.Changes[l.Change]
			if _, ok := hue[w.SessionID]; !ok {
				hue[w.SessionID] = hues[len(hue)%len(hues)]
			}
			cells[0].Text, cells[1], cells[2].Text = output.RFC3339(w.Time), term.Cell{Text: w.Address, Style: hue[w.SessionID]}, w.Prompt
			if s.TTY {
				cells[0].Text, cells[1].Text = term.Ago(w.Time.Time, sh.Now()), shortAddress(w)
				if l.Change == last { // as above
					cells[0].Text, cells[2].Text = "", ""
				}
			}
		}
		last = l.Change
		t.Row(cells...)
	}
	if commits {
		insertCommits(t, page)
	}
	return t
}

// insertCommits adds the commits of the lines before their numbers, and the sessions that made them.
func insertCommits(t *term.Table, page *versions.BlamePage) {
	of := map[string]*versions.BlameCommit{}
	for i := range page.Commits {
		of[page.Commits[i].ID] = &page.Commits[i]
	}
	hashes, makers := make([]term.Cell, len(page.Lines)), make([]term.Cell, len(page.Lines))
	for i := range page.Lines {
		c := of[page.Lines[i].Commit]
		if c == nil {
			continue
		}
		hashes[i].Text = c.ID
		if t.Screen.TTY {
			hashes[i].Text = output.Head(c.ID, 10)
		}
		for _, s := range c.Sessions {
			if makers[i].Text = s.Address; t.Screen.TTY {
				makers[i].Text = output.Head(s.Address, 8)
			}
		}
	}
	t.Insert(3, term.Column{Title: "commit", Min: output.Uncut, Style: term.Dim}, hashes)
	t.Insert(4, term.Column{Title: "made by", Min: output.Uncut}, makers)
}

// shortAddress is the address of a change by the beginnings of its ids.
func shortAddress(w *versions.Writer) string {
	session := output.Head(w.SessionID, 8)
	if w.AgentID != "" {
		session += "/" + w.AgentID
	}
	return session + "#" + output.Head(w.UUID, 8)
}
