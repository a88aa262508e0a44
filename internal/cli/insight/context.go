package insight

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/insight"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

type contextOptions struct {
	at     int
	points int

	usage.MoneyOptions
}

// ContextCommand is "session context".
func ContextCommand(sh *shell.Shell) *cobra.Command {
	var o contextOptions
	cmd := &cobra.Command{
		Use: "context ADDRESS", Short: "Show what fills the context of a session",
		Long: `Show how the context of a conversation grew, what it consists of by kind, tool and file,
its largest items, and its compactions. An address with a message chooses the context
of the answer that has or follows it; --at chooses an answer by its number.

How many tokens there are is what the API counted for each answer. What they consist of
is estimated: what came between two answers shares, by its length, what the context grew
by. What the transcript does not have is "unknown", or "system" where it stands before
all messages.`,
		Example: `  sesskeep session context 3987
  sesskeep session context 3987#4122
  sesskeep session context @last --at 4 --json
  sesskeep session context 3987 --jq '.at.items[] | [.tokenCount, .kind]'`,
		Args:              shell.OneArg("address"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE:              func(cmd *cobra.Command, args []string) error { return runContext(cmd.Context(), sh, args[0], o) },
	}
	cmd.Flags().IntVar(&o.at, "at", 0, "what filled the context of answer `N`, counted from 1")
	cmd.Flags().IntVar(&o.points, "points", 0, "name at most `N` answers (default all)")
	o.Register(cmd)
	return cmd
}

func runContext(ctx context.Context, sh *shell.Shell, address string, o contextOptions) error {
	if o.at < 0 || o.points < 0 {
		return fail.Usage("--at and --points must not be negative", "answers are counted from 1")
	}
	q := insight.ContextQuery{At: o.at, Points: o.points}
	var err error
	if q.Limit, err = sh.Limit(); err != nil {
		return err
	}
	if _, q.Prices, err = usage.ReadMoney(ctx, sh, o.MoneyOptions); err != nil {
		return err
	}
	a, target, err := sh.Find(ctx, address)
	if err != nil {
		return err
	}
	q.Target = target
	use, err := a.Insight.Context(ctx, q)
	if err != nil {
		return err
	}
	if o.at > use.Answers {
		return fail.Usage(fmt.Sprintf("there is no answer %d", o.at), fmt.Sprintf("this conversation has %s", output.Plural(use.Answers, "answer")))
	}
	if use.Unread > 0 {
		sh.Note(output.Plural(use.Unread, "line") + " could not be read: what they hold counts as unknown")
	}
	out := output.Listing{Value: use, Items: "points", Table: func(term.Screen) *term.Table { return pointRows(&use) }, Empty: "This conversation has no answer of the model."}
	if sh.Out.ForPeople() && len(use.Points) > 0 {
		out.Render = func(w io.Writer) error { return renderContext(sh, w, &use) }
	}
	return sh.Out.Print(ctx, out)
}

// kindOf is a kind with its tokens, and the style of its part of a chart.
type kindOf struct {
	name   string
	tokens int64
	style  term.Style
}

// kindsOf are the kinds from below, as the chart has them.
func kindsOf(k *insight.ContextKinds) []kindOf {
	return []kindOf{
		{"system", k.System, term.Dim}, {"memory", k.Memory, term.Dim}, {"tools", k.Tools, term.Blue}, {"mcp", k.MCP, term.Blue}, {"prompts", k.Prompts, term.Cyan},
		{"summary", k.Summary, term.Cyan}, {"answers", k.Answers, term.Magenta}, {"thinking", k.Thinking, term.Magenta | term.Dim},
		{"results", k.Results, term.Green}, {"unknown", k.Unknown, term.Plain},
	}
}

// pointRows is a row for each answer.
func pointRows(use *insight.ContextUse) *term.Table {
	t := &term.Table{Columns: []term.Column{{Title: "answer"}, {Title: "message"}, {Title: "time"}, {Title: "context"}, {Title: "output"}}}
	for _, k := range kindsOf(&insight.ContextKinds{}) {
		t.Columns = append(t.Columns, term.Column{Title: k.name})
	}
	t.Columns = append(t.Columns, term.Column{Title: "missed"}, term.Column{Title: "address"})
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	for i := range use.Points {
		p := &use.Points[i]
		cells := []string{strconv.Itoa(p.Number), strconv.Itoa(p.Message), p.Time.UTC().Format(time.RFC3339), number(p.Tokens), number(p.Output)}
		for _, k := range kindsOf(&p.Kinds) {
			cells = append(cells, number(k.tokens))
		}
		t.Row(output.Cells(append(cells, number(p.Missed), p.Address))...)
	}
	return t
}

func renderContext(sh *shell.Shell, w io.Writer, use *insight.ContextUse) error {
	gap := sh.Out.Gap()
	head := []string{fmt.Sprintf("%s tokens before answer %d of %d", term.Tokens(use.At.Tokens), use.At.Number, use.Answers)}
	if use.Window > 0 {
		head = append(head, fmt.Sprintf("%d %% of %s", use.At.Tokens*100/use.Window, term.Tokens(use.Window)))
	}
	head = append(head, output.Plural(len(use.Compactions), "compaction"))
	if r := use.Reported; r != nil {
		head = append(head, fmt.Sprintf("the client counted %s at %s", term.Tokens(r.Tokens), r.Time.Local().Format("15:04")))
	}
	if _, err := fmt.Fprintf(w, "%s\n\n%s\n", strings.Join(head, gap), strings.Join(chart(sh.Out.Screen, use), "\n")); err != nil {
		return err
	}
	for _, t := range contextTables(sh, use) {
		if t.Len() == 0 {
			continue
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := t.Write(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "\n"+sh.Out.Screen.Paint(term.Dim, "Totals are counted by the API; kinds and items are estimated by length."))
	return err
}

func contextTables(sh *shell.Shell, use *insight.ContextUse) []*term.Table {
	table := func(columns ...term.Column) *term.Table {
		columns[0].Style = term.Cyan
		return &term.Table{Screen: sh.Out.Screen, Columns: columns}
	}
	right := func(title string) term.Column { return term.Column{Title: title, Right: true} }
	flex := func(title string) term.Column { return term.Column{Title: title, Flex: true} }
	percent := func(n int64) string { return fmt.Sprintf("%d %%", n*100/max(1, use.At.Tokens)) }
	kinds := table(term.Column{Title: "kind"}, right("tokens"), right("share"))
	for _, k := range kindsOf(&use.At.Kinds) {
		if k.tokens > 0 {
			kinds.Row(output.Cells([]string{k.name, term.Tokens(k.tokens), percent(k.tokens)})...)
		}
	}
	tools := table(term.Column{Title: "results of"}, right("tokens"), right("share"), right("calls"))
	for _, s := range use.At.Tools[:min(len(use.At.Tools), listed)] {
		tools.Row(output.Cells([]string{s.Name, term.Tokens(s.Tokens), percent(s.Tokens), term.Count(s.Count)})...)
	}
	items := table(term.Column{Title: "item"}, flex("what"), right("tokens"), right("share"), right("since"), right("answers"))
	for i := range use.At.Items[:min(len(use.At.Items), listed)] {
		one := &use.At.Items[i]
		items.Row(output.Cells([]string{
			one.Kind, itemText(one), term.Tokens(one.Tokens), percent(one.Tokens), strconv.Itoa(one.Since), strconv.Itoa(one.Carried),
		})...)
	}
	compactions := table(right("compacted after"), right("before"), right("after"), term.Column{Title: "by"})
	for _, c := range use.Compactions {
		compactions.Row(output.Cells([]string{strconv.Itoa(c.Number), term.Tokens(c.Before), term.Tokens(c.After), c.Trigger})...)
	}
	return []*term.Table{kinds, tools, items, compactions}
}

// itemText is what an item is, in words.
func itemText(one *insight.ContextItem) string {
	text := one.Text
	if one.File != "" {
		text = one.File
	}
	if one.Tool != "" {
		text = strings.TrimSpace(one.Tool + " " + text)
	}
	return text
}
