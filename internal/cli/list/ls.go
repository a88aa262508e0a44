// Package list has the commands that find sessions: ls and search.
//
// Options are the flags that choose sessions. Commands that change sessions choose them
// by the same flags.
package list

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/keep"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/draw"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// LsCommand is the short form; "session ls" is the same.
func LsCommand(sh *shell.Shell) *cobra.Command {
	var o Options
	cmd := &cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Short:   "List sessions, the most recently active first",
		Long: `List the sessions that a person or a program started, in the project of the
working directory, or everywhere when you are in none. Sub-agents and the client's
own helpers are counted below the list; --source shows them. Archived sessions are
counted too; --archived shows them.

--since, --until and --on choose the sessions that were active in that time, even if they
continued afterwards.`,
		Example: `  sesskeep ls
  sesskeep ls --all --since yesterday --sort size
  sesskeep ls --all --on yesterday
  sesskeep ls -p shop-api --source all
  sesskeep ls --all --columns cost,context --sort cost
  sesskeep ls --filter 'tag:later -is:starred' --columns tags,note
  sesskeep ls --all --archived
  sesskeep ls --all --state needs-you,your-turn
  sesskeep ls --json=id,title,lastActivityAt
  sesskeep ls --all --jq '.sessions[] | select(.promptCount > 5) | .id'`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLs(cmd.Context(), sh, o) },
	}
	o.Register(cmd)
	cmd.Flags().StringVar(&o.sort, "sort", "activity", "`ORDER`: "+strings.Join(ask.SortsPriced, ", ")+"; -ORDER reverses it")
	shell.Complete(cmd, "sort", ask.SortsPriced...)
	cmd.Flags().StringSliceVar(&o.columns, "columns", nil, "also show these `COLUMNS`: "+strings.Join(lsColumns, ", "))
	shell.Complete(cmd, "columns", lsColumns...)
	return cmd
}

func runLs(ctx context.Context, sh *shell.Shell, o Options) error {
	filter, err := Filter(sh, o)
	if err != nil {
		return err
	}
	return printSoon(ctx, sh, func(a *app.App, limit int) (output.Listing, error) {
		if limit == 0 {
			keep.WarnUnkept(ctx, sh, a)
		}
		f := filter
		if limit > 0 { // a first page has no sums
			f.Limit, f.Uncounted = min(cmp.Or(f.Limit, limit), limit), true
		}
		if o.priced() {
			return pricedSessions(ctx, sh, a, f, o)
		}
		f.Brief = len(o.columns) == 0 && sh.Out.Tabular()
		return listSessions(ctx, sh, a, f, o)
	})
}

// listSessions lists the sessions that match, of the project in question.
func listSessions(ctx context.Context, sh *shell.Shell, a *app.App, filter ask.Filter, o Options) (output.Listing, error) {
	c, scope, err := ChooseProject(ctx, sh, a, &filter, o.Chosen.Text("parent"))
	if err != nil {
		return output.Listing{}, err
	}
	page, err := c.List(ctx, filter)
	if err == nil {
		err = addExpiry(ctx, a, &page, o)
	}
	return output.Listing{
		Value: page, Items: "sessions",
		Make: func() (any, error) { return page, addCosts(ctx, sh, a, page.Sessions) },
		Table: func(s term.Screen) *term.Table {
			return addColumns(sessionTable(s, page.Sessions, len(scope.Projects) != 1, sh.Now()), page.Sessions, o, sh.Now())
		},
		Footer: summary(c, page, scope),
		Empty:  noSessions(c, page),
	}, err
}

// addCosts adds what sessions cost, for programs that did not choose other fields.
func addCosts(ctx context.Context, sh *shell.Shell, a *app.App, sessions []catalog.Session) error {
	names := strings.Split(sh.Out.Flags.JSON, ",")
	if sh.Out.Flags.JSON != "" && !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(costFields, strings.TrimSpace(name)) }) {
		return nil
	}
	_, prices, err := usage.ReadMoney(ctx, sh, usage.MoneyOptions{})
	if err != nil {
		return err
	}
	return a.Catalog.AddCosts(ctx, sessions, prices)
}

// costFields are the fields of --json that have to be added up.
var costFields = []string{"*", "usage", "cost", "agents"}

// usualColumns are those that a list has without being asked for more. Their titles are
// those of the table of fields.
func usualColumns() []term.Column {
	return []term.Column{
		{Title: "id", Style: term.Yellow, Min: output.Uncut}, {Title: "title", Flex: true, Min: 32},
		{Title: "active", Right: true}, {Title: "project", Style: term.Cyan, Min: 14},
		{Title: "branch", Style: term.Blue}, {Title: "msgs", Right: true}, {Title: "size", Right: true},
		{Title: "agents", Right: true}, {Title: "convs", Right: true}, {Title: "state", Min: stateWidth},
	}
}

func sessionTable(s term.Screen, rows []catalog.Session, withProject bool, now time.Time) *term.Table {
	// A narrow screen leaves columns out from the right, so the last ones are
	// those that matter least. Scripts count columns, so on a pipe what is new
	// comes last.
	t := &term.Table{Screen: s, Columns: usualColumns()}
	if s.Width > 0 && s.Width < 60 {
		t.Columns[1].Min = 16
	}
	if !stateWordsFit(s) {
		t.Columns[9].Title = ""
	}
	if s.TTY {
		t.Columns = forPeople(t.Columns, withProject)
	}
	var short map[string]string
	if s.TTY {
		short = output.ShortIDs(rows)
	}
	for i := range rows {
		r := &rows[i]
		cells := []term.Cell{
			{Text: r.Address()}, {Text: catalog.NameOf(r)}, {Text: r.LastActivityAt.UTC().Format(time.RFC3339)},
			{Text: r.Project}, {Text: r.GitBranch},
			{Text: strconv.Itoa(r.MessageCount)}, {Text: strconv.FormatInt(r.FileSize, 10)},
			{Text: strconv.Itoa(catalog.AgentCount(r))}, {Text: strconv.Itoa(r.ConversationCount)}, stateCell(s, r),
		}
		if s.TTY {
			cells = forPeople(shorten(s, cells, r, short[r.ID]+r.Suffix(), now), withProject)
		}
		t.Row(cells...)
	}
	return t
}

// stateWidth is that of the longest state with its glyph: "◆ needs you".
const stateWidth = 11

// stateWordsFit reports whether a screen has room for a state in a word, beside
// id, title and age. If not, its glyph has to do.
func stateWordsFit(s term.Screen) bool { return s.Width == 0 || s.Width >= 64 }

// forPeople puts the state in front, and leaves out the project where there is
// only one.
func forPeople[T any](columns []T, withProject bool) []T {
	last := len(columns) - 1
	columns = slices.Insert(columns[:last:last], 0, columns[last])
	if !withProject {
		columns = slices.Delete(columns, 4, 5)
	}
	return columns
}

func stateCell(s term.Screen, r *catalog.Session) term.Cell {
	if r.State == nil {
		return term.Cell{}
	}
	if !s.TTY {
		return term.Cell{Text: r.State.Word}
	}
	glyph, style := draw.State(s, r.State.Word)
	if !stateWordsFit(s) {
		return term.Cell{Text: glyph, Style: style}
	}
	return term.Cell{Text: glyph + " " + r.State.Word, Style: style}
}

// shorten makes cells for people: short ids, no zeros, sizes and ages in words.
func shorten(s term.Screen, cells []term.Cell, r *catalog.Session, id string, now time.Time) []term.Cell {
	cells[0].Text = id
	if r.Problems > 0 {
		cells[1].Text = output.Warning(s) + cells[1].Text
	}
	cells[2].Text = term.Ago(r.LastActivityAt.Time, now)
	cells[6].Text = term.Bytes(r.FileSize)
	cells[7].Text = output.NonZero(catalog.AgentCount(r))
	if r.ConversationCount < 2 { // the usual
		cells[8].Text = ""
	}
	return cells
}

// summary says how much of what there is a list shows.
func summary(c *catalog.Snapshot, page catalog.Page, scope catalog.Scope) string {
	text := fmt.Sprintf("%s sessions", term.Count(page.Total))
	if page.Total == 1 {
		text = "1 session"
	}
	if page.HasMore {
		text = fmt.Sprintf("%s of %s", term.Count(len(page.Sessions)), text)
	}
	if scope.Base != nil {
		text += " in " + catalog.ProjectNames(c.Projects)[scope.Base.ID]
	}
	if n := scope.Worktrees(); n > 0 {
		text += " with " + output.Plural(n, "worktree")
	}
	if hidden := hiddenWords(page.Hidden); hidden != "" {
		text += " · " + hidden
	}
	return text
}

func noSessions(c *catalog.Snapshot, page catalog.Page) string {
	if len(c.Projects) == 0 {
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
	for _, source := range []ask.Source{ask.FromUser, ask.FromAgent, ask.FromHelper} {
		if n := hidden[string(source)]; n > 0 {
			words = append(words, fmt.Sprintf("%s %s", term.Count(n), source))
			total += n
		}
	}
	text := ""
	switch total {
	case 0:
	case 1:
		text = words[0] + " session hidden (--source all)"
	default:
		text = strings.Join(words, " and ") + " sessions hidden (--source all)"
	}
	if n := hidden["archived"]; n > 0 {
		text = output.Joined(" · ", text, term.Count(n)+" archived (--archived)")
	}
	if n := hidden[string(ask.FromDuplicate)]; n > 0 {
		text = output.Joined(" · ", text, output.Plural(n, "twin")+" hidden (doctor)")
	}
	return text
}
