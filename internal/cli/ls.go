package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type lsOptions struct {
	source  string
	started string
	sort    string
	branch  string
	model   string
	parent  string
}

// lsCommand is the short form; "session ls" is the same.
func lsCommand(sh *shell) *cobra.Command {
	var o lsOptions
	cmd := &cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Short:   "List sessions, the one active last first",
		Long: `List the sessions that a person or a program started, in the project of the
working directory, or everywhere when you are in none. Sub-agents and the client's
own helpers are counted below the list; --source shows them.`,
		Example: `  sesskeep ls
  sesskeep ls --all --since yesterday --sort size
  sesskeep ls -p shop-api --source all
  sesskeep ls --json=id,title,lastActivityAt
  sesskeep ls --all --jq '.sessions[] | select(.promptCount > 10) | .id'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLs(cmd.Context(), sh, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.source, "source", "", "user, agent, helper or all (default user)")
	f.StringVar(&o.started, "started", "", "started by a person or a program")
	f.StringVar(&o.sort, "sort", "activity", strings.Join(app.Sorts, ", ")+"; - before it turns it round")
	f.StringVar(&o.branch, "branch", "", "only this git branch")
	f.StringVar(&o.model, "model", "", "only where a model of this name answered")
	f.StringVar(&o.parent, "parent", "", "only the agents of this session")
	complete(cmd, "source", "user", "agent", "helper", "all")
	complete(cmd, "started", "person", "program")
	complete(cmd, "sort", app.Sorts...)
	return cmd
}

func complete(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// oneOf checks a flag that takes one of some words.
func oneOf(flag, value string, words ...string) error {
	if value == "" || slices.Contains(words, value) {
		return nil
	}
	return usageError{fmt.Sprintf("--%s: unknown value %q", flag, value), "use one of " + strings.Join(words, ", ")}
}

func runLs(ctx context.Context, sh *shell, o lsOptions) error {
	filter, err := sh.filter(o)
	if err != nil {
		return err
	}
	a, c, err := sh.catalog(ctx)
	if err != nil {
		return err
	}
	scope, err := sh.scope(c)
	if err != nil {
		return err
	}
	if scope != nil {
		filter.Project = scope.ID
	}
	if o.parent != "" {
		t, err := a.Find(ctx, o.parent)
		if err != nil {
			return err
		}
		filter.Parent = string(t.Ref.Session)
	}
	page, err := c.List(filter)
	if err != nil {
		return err
	}
	return sh.print(ctx, listing{
		value: page, items: "sessions",
		table:  func(s term.Screen) *term.Table { return sessionTable(s, page.Sessions, scope == nil, sh.Now()) },
		footer: summary(page, scope),
		empty:  "No sessions match. " + hiddenWords(page.Hidden),
	})
}

func (sh *shell) filter(o lsOptions) (app.Filter, error) {
	f := app.Filter{
		Source: o.source, Started: app.Started(o.started), Sort: o.sort,
		Branch: o.branch, Model: o.model, Limit: sh.flags.limit,
	}
	if o.parent != "" && o.source == "" {
		f.Source = "all"
	}
	if sh.flags.limit < 0 {
		return f, usageError{"--limit must not be negative", "leave it out to see all"}
	}
	if err := oneOf("source", o.source, "user", "agent", "helper", "all"); err != nil {
		return f, err
	}
	if err := oneOf("started", o.started, "person", "program"); err != nil {
		return f, err
	}
	if err := oneOf("sort", strings.TrimPrefix(o.sort, "-"), app.Sorts...); err != nil {
		return f, err
	}
	var err error
	f.Since, f.Until, err = sh.span()
	return f, err
}

func sessionTable(s term.Screen, rows []app.Row, withProject bool, now time.Time) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Yellow}, {Title: "title", Flex: true, Min: 24},
		{Title: "project", Style: term.Cyan}, {Title: "branch", Style: term.Blue},
		{Title: "msgs", Right: true}, {Title: "forks", Right: true}, {Title: "agents", Right: true},
		{Title: "size", Right: true}, {Title: "active", Right: true},
	}}
	if !withProject && s.TTY {
		t.Columns = slices.Delete(t.Columns, 2, 3)
	}
	length := idLength(rows)
	for i := range rows {
		r := &rows[i]
		cells := []term.Cell{
			{Text: r.ID}, {Text: rowTitle(r)}, {Text: r.Project}, {Text: r.GitBranch},
			{Text: strconv.Itoa(r.MessageCount)}, {Text: strconv.Itoa(r.ConversationCount)},
			{Text: strconv.Itoa(len(r.AgentSessions))}, {Text: strconv.FormatInt(r.FileSize, 10)},
			{Text: r.LastActivityAt.UTC().Format(time.RFC3339)},
		}
		if s.TTY {
			cells = shorten(cells, r, length, now)
			if !withProject {
				cells = slices.Delete(cells, 2, 3)
			}
		}
		t.Row(cells...)
	}
	return t
}

// shorten makes cells for people: short ids, no zeros, sizes and ages in words.
func shorten(cells []term.Cell, r *app.Row, length int, now time.Time) []term.Cell {
	if !r.IsAgent && len(r.ID) > length {
		cells[0].Text = r.ID[:length]
	}
	cells[5].Text = ""
	if r.ConversationCount > 1 {
		cells[5].Text = "⑂" + strconv.Itoa(r.ConversationCount)
	}
	if len(r.AgentSessions) == 0 {
		cells[6].Text = ""
	}
	if r.Problems > 0 {
		cells[1].Text = "⚠ " + cells[1].Text
	}
	cells[7].Text = term.Bytes(r.FileSize)
	cells[8].Text = term.Ago(r.LastActivityAt.Time, now)
	return cells
}

func rowTitle(r *app.Row) string {
	switch {
	case r.Title != "":
		return r.Title
	case r.LastUserMessage != "":
		return r.LastUserMessage
	case r.FileSize == 0:
		return "(empty file)"
	case r.MessageCount == 0:
		return "(no messages)"
	}
	return "(no prompt)"
}

// idLength is how much of an id tells all rows apart, but not less than 8.
func idLength(rows []app.Row) int {
	seen := map[string]bool{}
	for length := 8; length < 36; length++ {
		clear(seen)
		clash := false
		for i := range rows {
			if rows[i].IsAgent || len(rows[i].ID) < length {
				continue
			}
			id := rows[i].ID[:length]
			clash = clash || seen[id]
			seen[id] = true
		}
		if !clash {
			return length
		}
	}
	return 36
}

// summary says how much of what there is a list shows.
func summary(page app.Page, scope *app.Project) string {
	text := fmt.Sprintf("%s sessions", term.Count(page.Total))
	if page.Total == 1 {
		text = "1 session"
	}
	if page.HasMore {
		text = fmt.Sprintf("%s of %s", term.Count(len(page.Sessions)), text)
	}
	if scope != nil {
		text += " in " + scope.ID
	}
	if hidden := hiddenWords(page.Hidden); hidden != "" {
		text += " · " + hidden
	}
	return text
}

func hiddenWords(hidden map[string]int) string {
	var words []string
	for _, source := range []app.Source{app.FromUser, app.FromAgent, app.FromHelper} {
		if n := hidden[string(source)]; n > 0 {
			words = append(words, fmt.Sprintf("%s %s", term.Count(n), source))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, " and ") + " sessions hidden (--source all)"
}
