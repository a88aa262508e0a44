// Package insight has the commands that answer questions about all sessions together: insights and session health, which count by rules, and sql,
// which runs a statement of the user.
package insight

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/errcode"
	"sesskeep/internal/term"
	"sesskeep/internal/views"

	"github.com/spf13/cobra"
)

type sqlOptions struct {
	patience time.Duration

	usage.MoneyOptions
}

// SQLCommand is "sql".
func SQLCommand(sh *shell.Shell) *cobra.Command {
	var o sqlOptions
	cmd := &cobra.Command{
		Use: "sql [STATEMENT|-]", Short: "Ask anything about all sessions, in SQL",
		Long: `Run a SELECT statement over tables of all sessions: sessions, prompts, messages,
tool_calls, file_changes, usage_by_message, days, projects and runs. Without a statement
it lists the tables with their columns, which docs/sql.md describes; "-" reads the
statement from standard input. The dialect is that of SQLite, with its functions for
dates and JSON.

Times are texts in UTC, such as 2026-11-15T10:00:00.000Z; a day is one in your time zone.
Columns with texts are read from the transcripts, line by line: choose a session, a
project or a day first where you can.

Only one SELECT statement is run, on tables in memory: nothing can be written, attached
or loaded, and no file can be read. On a terminal 1000 rows are shown, or as many as -n
says; elsewhere all.`,
		Example: `  sesskeep sql
  sesskeep sql "select tool, count(*) as calls, sum(failed) as failed from tool_calls group by tool order by calls desc"
  sesskeep sql "select day, round(usd, 2) as usd from days order by day desc limit 7" --format csv
  sesskeep sql "select time, text from prompts where text like '%parser%' order by time desc" -n 5
  sesskeep sql "select id, title from sessions where usd > 0.01 order by usd desc" --jq '.rows[].title'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fail.Usage(fmt.Sprintf("give one statement, not %d", len(args)), "put it in quotes")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runSQL(cmd.Context(), sh, args, o) },
	}
	o.Register(cmd)
	cmd.Flags().DurationVar(&o.patience, "timeout", time.Minute, "stop after this `TIME`; 0: never")
	return cmd
}

// shownRows is how many rows a terminal shows unless -n says otherwise.
const shownRows = 1000

func runSQL(ctx context.Context, sh *shell.Shell, args []string, o sqlOptions) error {
	if len(args) == 0 {
		return printTables(ctx, sh)
	}
	q, err := sqlQuery(ctx, sh, args[0], o)
	if err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	found, err := a.Views.Ask(ctx, q)
	switch errcode.Of(err) {
	case "":
	case errcode.Invalid:
		return fail.Hint(err, `"sesskeep sql" lists the tables and their columns`)
	case errcode.TimedOut:
		return fail.Hint(err, "give it more time with --timeout, or choose a session, a project or a day")
	default:
		return err
	}
	if found.HasMore {
		sh.Note(fmt.Sprintf("these are the first %s; -n N shows more", output.Plural(len(found.Rows), "row")))
	}
	if lacks := found.Coverage.String(); lacks != "" {
		sh.Note(lacks)
	}
	sh.Out.Limit = 0 // the statement had it
	return sh.Out.Print(ctx, output.Listing{Value: found, Items: "rows", Table: func(term.Screen) *term.Table { return selected(&found) }, Empty: "No rows."})
}

// sqlQuery is what the flags ask for.
func sqlQuery(ctx context.Context, sh *shell.Shell, statement string, o sqlOptions) (q views.Query, err error) {
	if names := sh.Out.Flags.JSON; names != "" && names != "*" {
		return q, fail.Usage("--json takes no fields here", "name the columns in the statement")
	}
	if o.patience < 0 {
		return q, fail.Usage("--timeout must not be negative", "0 is no limit")
	}
	if statement == "-" {
		data, err := io.ReadAll(io.LimitReader(sh.Stdin, 1<<20+1))
		if err != nil {
			return q, err
		}
		statement = string(data)
	}
	q = views.Query{SQL: statement, Patience: o.patience}
	if q.Zone, q.Prices, err = usage.ReadMoney(ctx, sh, o.MoneyOptions); err != nil {
		return q, err
	}
	if q.Limit, err = sh.Limit(); sh.Out.ForPeople() {
		q.Limit = cmp.Or(q.Limit, shownRows)
	}
	return q, err
}

// selected is a selection as a table.
func selected(s *views.Selection) *term.Table {
	t := &term.Table{}
	for _, name := range s.Columns {
		t.Columns = append(t.Columns, term.Column{Title: name, Flex: name == "text" || name == "title", Right: numeric(s, name)})
	}
	for _, r := range s.Rows {
		texts := make([]string, len(s.Columns))
		for i, name := range s.Columns {
			texts[i] = r.Text(name)
		}
		t.Row(output.Cells(texts)...)
	}
	return t
}

// numeric reports whether a column has numbers and nothing else.
func numeric(s *views.Selection, column string) bool {
	found := false
	for _, r := range s.Rows {
		switch r[column].(type) {
		case int64, float64:
			found = true
		case nil:
		default:
			return false
		}
	}
	return found
}

func printTables(ctx context.Context, sh *shell.Shell) error {
	c := views.Tables()
	rows := func(s term.Screen) *term.Table {
		t := &term.Table{Columns: []term.Column{{Title: "table", Style: term.Cyan}, {Title: "column"}, {Title: "type"}, {Title: "is", Flex: true}}}
		for _, table := range c.Tables {
			name := table.Name
			for _, col := range table.Columns {
				t.Row(output.Cells([]string{name, col.Name, col.Type, strings.ReplaceAll(col.About, "`", "")})...)
				if s.TTY {
					name = ""
				}
			}
		}
		return t
	}
	return sh.Out.Print(ctx, output.Listing{Value: c, Items: "tables", Table: rows})
}
