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
	o.register(cmd)
	cmd.Flags().StringVar(&o.sort, "sort", "activity", "`ORDER`: "+strings.Join(app.Sorts, ", ")+"; -ORDER reverses it")
	complete(cmd, "sort", app.Sorts...)
	return cmd
}

// register adds the flags that choose sessions.
func (o *lsOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.source, "source", "", "`WHO` they are for: user, agent, helper or all")
	f.StringVar(&o.started, "started", "", "`BY` whom they were started: person or program")
	f.StringVar(&o.branch, "branch", "", "only of this git `BRANCH`")
	f.StringVar(&o.model, "model", "", "only where a model answered whose name holds `TEXT`")
	f.StringVar(&o.parent, "parent", "", "only the agents of the session at `ADDRESS`")
	complete(cmd, "source", "user", "agent", "helper", "all")
	complete(cmd, "started", "person", "program")
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
	page, err := c.List(ctx, filter)
	if err != nil {
		return err
	}
	return sh.print(ctx, listing{
		value: page, items: "sessions",
		table:  func(s term.Screen) *term.Table { return sessionTable(s, page.Sessions, scope == nil, sh.Now()) },
		footer: summary(page, scope),
		empty:  noSessions(c, page),
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

// uncut is the least width of a column with addresses: one that is cut leads
// nowhere.
const uncut = 60

func sessionTable(s term.Screen, rows []app.Row, withProject bool, now time.Time) *term.Table {
	// A narrow screen leaves columns out from the right, so the last ones are
	// those that matter least.
	t := &term.Table{Screen: s, Columns: []term.Column{
		{Title: "id", Style: term.Yellow, Min: uncut}, {Title: "title", Flex: true, Min: 32},
		{Title: "active", Right: true}, {Title: "project", Style: term.Cyan, Min: 14},
		{Title: "branch", Style: term.Blue}, {Title: "msgs", Right: true}, {Title: "size", Right: true},
		{Title: "agents", Right: true}, {Title: "convs", Right: true},
	}}
	if s.Width > 0 && s.Width < 60 {
		t.Columns[1].Min = 16
	}
	if !withProject && s.TTY {
		t.Columns = slices.Delete(t.Columns, 3, 4)
	}
	short := shortIDs(rows)
	for i := range rows {
		r := &rows[i]
		cells := []term.Cell{
			{Text: r.ID}, {Text: rowTitle(r)}, {Text: r.LastActivityAt.UTC().Format(time.RFC3339)},
			{Text: r.Project}, {Text: r.GitBranch},
			{Text: strconv.Itoa(r.MessageCount)}, {Text: strconv.FormatInt(r.FileSize, 10)},
			{Text: strconv.Itoa(len(r.AgentSessions))}, {Text: strconv.Itoa(r.ConversationCount)},
		}
		if s.TTY {
			cells = shorten(s, cells, r, short[r.ID], now)
			if !withProject {
				cells = slices.Delete(cells, 3, 4)
			}
		}
		t.Row(cells...)
	}
	return t
}

// shorten makes cells for people: short ids, no zeros, sizes and ages in words.
func shorten(s term.Screen, cells []term.Cell, r *app.Row, id string, now time.Time) []term.Cell {
	cells[0].Text = id
	if r.Problems > 0 {
		cells[1].Text = warning(s) + cells[1].Text
	}
	cells[2].Text = term.Ago(r.LastActivityAt.Time, now)
	cells[6].Text = term.Bytes(r.FileSize)
	cells[7].Text = nonZero(len(r.AgentSessions))
	if r.ConversationCount < 2 { // the usual
		cells[8].Text = ""
	}
	return cells
}

// warning stands before what is damaged.
func warning(s term.Screen) string {
	if s.ASCII {
		return "! "
	}
	return "⚠ "
}

func rowTitle(r *app.Row) string {
	switch {
	case r.Title != "":
		return r.Title
	case r.LastUserMessage != "":
		return r.LastUserMessage
	}
	return untitled(r.FileSize, r.MessageCount)
}

// untitled says why there is nothing to call a session by.
func untitled(size int64, messages int) string {
	switch {
	case size == 0:
		return "(empty file)"
	case messages == 0:
		return "(no messages)"
	}
	return "(no prompt)"
}

// shortIDs gives every id as much of itself as tells it from the others, and
// some more: 8 characters at least, or 8 of an agent's.
func shortIDs(rows []app.Row) map[string]string {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids) // a session can be in two homes
	short := map[string]string{}
	for i, id := range ids {
		length := 8
		if rest, ok := strings.CutPrefix(id, "agent-"); ok {
			length += len(id) - len(rest)
		}
		if i > 0 {
			length = max(length, common(id, ids[i-1])+4)
		}
		if i+1 < len(ids) {
			length = max(length, common(id, ids[i+1])+4)
		}
		short[id] = head(id, length)
	}
	return short
}

// common is how many bytes two strings begin alike with.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
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

func noSessions(c *app.Catalog, page app.Page) string {
	if c.Files == 0 {
		return "No sessions here yet."
	}
	if hidden := hiddenWords(page.Hidden); hidden != "" {
		return "No sessions match: " + hidden + "."
	}
	return "No sessions match."
}

func hiddenWords(hidden map[string]int) string {
	var words []string
	total := 0
	for _, source := range []app.Source{app.FromUser, app.FromAgent, app.FromHelper} {
		if n := hidden[string(source)]; n > 0 {
			words = append(words, fmt.Sprintf("%s %s", term.Count(n), source))
			total += n
		}
	}
	switch total {
	case 0:
		return ""
	case 1:
		return words[0] + " session hidden (--source all)"
	}
	return strings.Join(words, " and ") + " sessions hidden (--source all)"
}
