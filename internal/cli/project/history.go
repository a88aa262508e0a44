package project

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/history"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type historyOptions struct {
	text   string
	pastes bool
	full   bool
}

// HistoryCommand is "history" with its subcommands.
func HistoryCommand(sh *shell.Shell) *cobra.Command {
	var o historyOptions
	cmd := &cobra.Command{
		Use:   "history [QUERY]",
		Short: "List the prompts you typed, newest first",
		Long: `List the prompts and slash commands that were typed into Claude Code, also those of
sessions that are long gone: Claude never deletes this list. Prompts sent with
"claude -p" are not in it. QUERY finds text in any case.

Without --all or -p it covers the project of the working directory and the directories
below it, or everything if you are not in a project. -p also takes a path.`,
		Example: `  sesskeep history
  sesskeep history --all --since 7d "half line"
  sesskeep history --full -n 1             the last prompt, with what was pasted
  sesskeep history projects
  sesskeep history timeline --since 30d`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.text = strings.Join(args, " ")
			return runHistory(cmd.Context(), sh, o)
		},
	}
	cmd.Flags().BoolVar(&o.pastes, "pastes", false, "look for QUERY in what was pasted, too")
	cmd.Flags().BoolVar(&o.full, "full", false, "whole prompts, with what was pasted in its place")
	cmd.AddCommand(
		&cobra.Command{
			Use: "projects", Short: "List the directories you typed prompts in, most recently used first", Args: shell.NoArgs,
			Long: `List the directories that prompts were typed in: how many, and when the first and
the last. Directories that are gone are listed too. -p PATH keeps those below PATH.`,
			Example: "  sesskeep history projects\n  sesskeep history projects --since 30d --json=path,lastAt",
			RunE:    func(cmd *cobra.Command, _ []string) error { return runHistoryProjects(cmd.Context(), sh) },
		},
		&cobra.Command{
			Use: "timeline", Short: "Count the prompts you typed, day by day", Args: shell.NoArgs,
			Long: `Count the prompts that were typed on each day, in your time zone. Days without any
are left out. -n keeps the latest days. The project is chosen as by "history".`,
			Example: "  sesskeep history timeline --all\n  sesskeep history timeline -p my-app --since 2026-10-01",
			RunE:    func(cmd *cobra.Command, _ []string) error { return runTimeline(cmd.Context(), sh) },
		},
	)
	return cmd
}

// promptFilter reads the global flags.
func promptFilter(sh *shell.Shell) (history.PromptFilter, error) {
	f := history.PromptFilter{Where: shell.Where(sh)}
	var err error
	if f.Slice, err = sh.Slice(); err != nil {
		return f, err
	}
	f.Since, f.Until, err = sh.Span()
	return f, err
}

func runHistory(ctx context.Context, sh *shell.Shell, o historyOptions) error {
	f, err := promptFilter(sh)
	if err != nil {
		return err
	}
	f.Text, f.Pastes, f.Full = o.text, o.pastes, o.full
	if sh.Out.Screen.TTY && sh.Flags.Limit == 0 && !sh.Out.JSON() {
		f.Slice.Limit = historyLimit
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	page, err := a.History.Prompts(ctx, f)
	if err != nil {
		return err
	}
	l := output.Listing{
		Value: page, Items: "prompts",
		Table:  func(s term.Screen) *term.Table { return promptTable(s, page.Prompts, sh.Now()) },
		Footer: promptSummary(sh, page),
		Empty:  "No prompts match" + inScope(sh, page.Scope) + ".",
	}
	if o.full && sh.Out.Flags.Format == "" {
		l.Render = func(w io.Writer) error { return writePrompts(sh, w, page) }
	}
	return sh.Out.Print(ctx, l)
}

// historyLimit is how many prompts a terminal shows unless -n asks for more.
const historyLimit = 1000

func promptSummary(sh *shell.Shell, page history.PromptPage) string {
	text := output.Plural(page.Total, "prompt")
	switch {
	case page.HasMore && !page.Complete: // they were not counted
		text = "the latest " + output.Plural(len(page.Prompts), "prompt") + " (-n for more)"
	case page.HasMore && len(page.Prompts) == historyLimit:
		text = term.Count(len(page.Prompts)) + " of " + text + " (-n for more)"
	case page.HasMore:
		text = term.Count(len(page.Prompts)) + " of " + text
	}
	return text + inScope(sh, page.Scope)
}

// inScope names the directory a list is about and the way to see more.
func inScope(sh *shell.Shell, dir string) string {
	if dir == "" {
		return ""
	}
	return " in " + term.Line(sh.Tilde(dir)) + " (--all for everywhere)"
}

func promptTable(s term.Screen, list []history.Prompt, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "when"}, {Title: "project", Style: term.Cyan}, {Title: "session", Style: term.Yellow},
		{Title: "text", Flex: true, Min: 24},
	}}
	for i := range list {
		p := &list[i]
		cells := []term.Cell{{Text: output.RFC3339(p.Time)}, {Text: base(p.Path)}, {Text: p.Session + p.Suffix}, {Text: p.Text}}
		if p.Full != "" {
			cells[3].Text = p.Full
		}
		if s.TTY {
			cells[0].Text = output.Ago(p.Time, now)
			cells[2].Text = output.Head(p.Session, 8) + p.Suffix
		}
		t.Row(cells...)
	}
	return t
}

// base is the last part of a directory's path.
func base(dir string) string {
	if dir == "" {
		return ""
	}
	return ask.ProjectID{Path: dir}.Base()
}

// writePrompts writes whole prompts, each below a line that says where and
// when it was typed.
func writePrompts(sh *shell.Shell, w io.Writer, page history.PromptPage) error {
	if len(page.Prompts) == 0 && sh.Out.Screen.TTY {
		_, err := io.WriteString(w, "No prompts match"+inScope(sh, page.Scope)+".\n")
		return err
	}
	b := bufio.NewWriter(w)
	for i := range page.Prompts {
		p := &page.Prompts[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(promptHead(sh, p) + "\n")
		b.WriteString(term.Wrap(term.Clean(p.Full), sh.Out.Screen.Width, "  ") + "\n")
		if p.Missing > 0 {
			b.WriteString(sh.Out.Screen.Paint(term.Dim, "  ("+output.Plural(p.Missing, "paste")+" no longer there)") + "\n")
		}
	}
	return b.Flush()
}

// promptHead says when, where and in which session a prompt was typed, as far
// as that is known.
func promptHead(sh *shell.Shell, p *history.Prompt) string {
	var parts []string
	add := func(style term.Style, text string) {
		if text != "" {
			parts = append(parts, sh.Out.Screen.Paint(style, term.Line(text)))
		}
	}
	if !p.Time.IsZero() {
		add(term.Bold, p.Time.In(sh.Now().Location()).Format("2006-01-02 15:04"))
	}
	add(term.Cyan, sh.Tilde(p.Path))
	add(term.Yellow, output.Head(p.Session, 8)+p.Suffix)
	return strings.Join(parts, "  ")
}

func runHistoryProjects(ctx context.Context, sh *shell.Shell) error {
	f, err := promptFilter(sh)
	if err != nil {
		return err
	}
	f.All = f.Project == "" // the directory you are in does not matter here
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	page, err := a.History.RecentProjects(ctx, f)
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: page, Items: "projects",
		Table:  func(s term.Screen) *term.Table { return useTable(sh, s, page.Projects) },
		Footer: output.Plural(page.Total, "project"),
		Empty:  "Nothing was typed yet.",
	})
}

func useTable(sh *shell.Shell, s term.Screen, list []history.ProjectUse) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "path", Style: term.Cyan, Flex: true, Min: 20}, {Title: "prompts", Right: true},
		{Title: "sessions", Right: true}, {Title: "first", Right: true}, {Title: "last", Right: true},
	}}
	for _, u := range list {
		cells := []term.Cell{
			{Text: u.Path}, {Text: strconv.Itoa(u.Prompts)}, {Text: strconv.Itoa(u.Sessions)},
			{Text: output.RFC3339(u.First)}, {Text: output.RFC3339(u.Last)},
		}
		if s.TTY {
			cells[0].Text = sh.Tilde(u.Path)
			cells[2].Text = output.NonZero(u.Sessions)
			cells[3].Text, cells[4].Text = output.Ago(u.First, sh.Now()), output.Ago(u.Last, sh.Now())
		}
		t.Row(cells...)
	}
	return t
}

func runTimeline(ctx context.Context, sh *shell.Shell) error {
	f, err := promptFilter(sh)
	if err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	timeline, err := a.History.Timeline(ctx, f, sh.Now().Location())
	if err != nil {
		return err
	}
	return sh.Out.Print(ctx, output.Listing{
		Value: timeline, Items: "days",
		Table:  func(s term.Screen) *term.Table { return dayTable(s, timeline) },
		Footer: output.Plural(timeline.Total, "day") + " with prompts" + inScope(sh, timeline.Scope),
		Empty:  "Nothing was typed" + inScope(sh, timeline.Scope) + ".",
	})
}

func dayTable(s term.Screen, timeline history.Timeline) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "day"}, {Title: "prompts", Right: true}, {Title: "sessions", Right: true},
		{Title: "projects", Right: true},
	}}
	if s.TTY {
		t.Columns = append(t.Columns, term.Column{Style: term.Green})
	}
	for _, d := range timeline.Days {
		t.Row(
			term.Cell{Text: d.Day}, term.Cell{Text: strconv.Itoa(d.Prompts)}, term.Cell{Text: strconv.Itoa(d.Sessions)},
			term.Cell{Text: strconv.Itoa(d.Projects)}, term.Cell{Text: bar(s, d.Prompts, timeline.Most)},
		)
	}
	return t
}

// bar draws n of most, to an eighth of a cell.
func bar(s term.Screen, n, most int) string {
	const width = 30
	eighths := max(1, n*width*8/max(most, 1))
	if s.ASCII {
		return strings.Repeat("#", max(1, eighths/8))
	}
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string(rune('█' + 8 - rest))
	}
	return text
}
