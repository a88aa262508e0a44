package insight

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/cli/usage"
	"sesskeep/internal/draw"
	"sesskeep/internal/insight"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// Command is "insights".
func Command(sh *shell.Shell) *cobra.Command {
	var o usage.MoneyOptions
	cmd := &cobra.Command{
		Use: "insights", Short: "Show where time and money went, and what went wrong",
		Long: `Show where the time of sessions went, what was thrown away, which calls fail again and
again, which tools are slow, which permissions were asked for, what compactions lost,
what the cache missed, and how sessions ended. It covers all projects and the last 30
days; -p, --since, --until and --on choose others.

Each figure follows a rule; docs/insights.md defines it and says what it cannot see.
In JSON each figure names the messages behind it, at most -n of them (default 20).`,
		Example: `  sesskeep insights
  sesskeep insights --since 2026-10-01 -p parser
  sesskeep insights --jq '.tools[] | select(.errorCount > 0) | [.tool, .p95Ms]'`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runInsights(cmd.Context(), sh, "", o) },
	}
	o.Register(cmd)
	return cmd
}

// HealthCommand is "session health".
func HealthCommand(sh *shell.Shell) *cobra.Command {
	var o usage.MoneyOptions
	cmd := &cobra.Command{
		Use: "health ADDRESS", Short: "Show where time and money went in a session, and what went wrong",
		Long: `Show for one session, with its agents, what "sesskeep insights" shows for all: time, work
that was thrown away, loops, tools, compactions, cache misses, and how it ended.`,
		Example:           "  sesskeep session health 3987\n  sesskeep session health @last --json",
		Args:              shell.OneArg("address"),
		ValidArgsFunction: sh.CompleteSessions,
		RunE:              func(cmd *cobra.Command, args []string) error { return runInsights(cmd.Context(), sh, args[0], o) },
	}
	o.Register(cmd)
	return cmd
}

// usualDays is how far insights go back unless the flags say otherwise.
const usualDays = 30

func runInsights(ctx context.Context, sh *shell.Shell, address string, o usage.MoneyOptions) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	q := insight.Query{Limit: limit, Log: sh.Dirs().Lifecycle()}
	if q.Zone, q.Prices, err = usage.ReadMoney(ctx, sh, o); err != nil {
		return err
	}
	if q.Since, q.Until, err = sh.SpanIn(q.Zone); err != nil {
		return err
	}
	a, done, err := sh.Open()
	if err != nil {
		return err
	}
	defer done()
	if address != "" {
		var t catalog.Target
		if a, t, err = sh.Find(ctx, address); err != nil {
			return err
		}
		q.Session, q.Root = t.Ref.ID(), t.Store.Root()
	} else if q.Projects, err = usage.Projects(ctx, sh, a); err != nil {
		return err
	}
	if address == "" && q.Since.IsZero() {
		q.Since = sh.Now().AddDate(0, 0, -usualDays)
	}
	in, err := a.Insight.Count(ctx, q)
	if err != nil {
		return err
	}
	if lacks := in.Coverage.String(); lacks != "" {
		sh.Note(lacks)
	}
	out := output.Listing{Value: in, Table: func(term.Screen) *term.Table { return insightRows(&in) }}
	if sh.Out.ForPeople() {
		out.Render = func(w io.Writer) error { return renderInsights(sh, w, &in) }
	}
	return sh.Out.Print(ctx, out)
}

// insightRows is everything for programs: what it is about, its name, a count, and what else
// there is.
func insightRows(in *insight.Insights) *term.Table {
	t := &term.Table{Columns: []term.Column{{Title: "about"}, {Title: "name"}, {Title: "count"}, {Title: "more"}, {Title: "message"}}}
	row := func(about, name string, count int64, more string, list []insight.Evidence) {
		address := ""
		if len(list) > 0 {
			address = list[0].Address
		}
		t.Row(output.Cells([]string{about, name, strconv.FormatInt(count, 10), more, address})...)
	}
	figure := func(about, name string, f *insight.Figure) {
		row(about, name, int64(f.Count), usage.Dollars(f.Cost), f.Items)
	}
	row("time", "workingMs", in.Time.Working, "", nil)
	row("time", "waitingMs", in.Time.Waiting, "", nil)
	row("time", "idleMs", in.Time.Idle, "", nil)
	row("time", "mostAtOnce", int64(in.Time.MostAtOnce), "", nil)
	figure("thrownAway", "conversations", &in.Waste.Branches)
	figure("thrownAway", "interrupted", &in.Waste.Interrupted)
	figure("corrections", "sessions", &in.Fixes)
	for _, l := range in.Loops {
		row("loop", l.Tool+" "+l.Text, int64(l.Count), fmt.Sprintf("%.4f", l.USD), l.Items)
	}
	for _, tool := range in.Tools {
		row("tool", tool.Tool, int64(tool.Calls), fmt.Sprintf("%d failed, p50 %d ms, p95 %d ms", tool.Errors, tool.P50, tool.P95), tool.Items)
	}
	for _, r := range in.Waits.Rules {
		row("rule", r.Rule, int64(r.Asked), fmt.Sprintf("%d denied, %d ms", r.Denied, r.Waited), r.Items)
	}
	row("compactions", "all", int64(in.Compacted.Count), fmt.Sprintf("%d lost something", in.Compacted.Lost), nil)
	for _, c := range in.Compacted.List {
		row("compaction", c.Title, int64(len(c.Files)+len(c.Commands)), strings.Join(append(append([]string{}, c.Files...), c.Commands...), ", "), []insight.Evidence{c.Evidence})
	}
	figure("cacheMisses", "all", &in.Cache.Figure)
	for _, c := range in.Cache.Causes {
		row("cacheMisses", c.Cause, int64(c.Count), fmt.Sprintf("%.4f", c.USD), nil)
	}
	figure("agents", "returned little", &in.Agents.Figure)
	for _, o := range outcomesOf(in) {
		figure("outcome", o.name, o.figure)
	}
	return t
}

// outcome is one of the ends of sessions.
type outcome struct {
	name   string
	figure *insight.Figure
}

func outcomesOf(in *insight.Insights) []outcome {
	return []outcome{
		{"committed", &in.Outcomes.Committed}, {"pull request", &in.Outcomes.Requested}, {"tests passed", &in.Outcomes.Green},
		{"tests failed", &in.Outcomes.Red}, {"abandoned", &in.Outcomes.Abandoned},
	}
}

// listed is how many rows of a list a person sees.
const listed = 8

func renderInsights(sh *shell.Shell, w io.Writer, in *insight.Insights) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		text := strings.ReplaceAll(fmt.Sprintf(format, args...), draw.Unicode.Gap, sh.Out.Gap())
		fmt.Fprintf(&b, "%s %s\n", sh.Out.Screen.Paint(term.Dim, fmt.Sprintf("%-12s", name)), text)
	}
	ms := func(n int64) string { return term.Duration(time.Duration(n) * time.Millisecond) }
	line("sessions", "%s · %s", term.Count(in.Sessions), in.Total.String())
	source := "from timestamps"
	if in.Time.WatchedMs > 0 {
		source = "watched since " + in.Time.Watched.Format(time.DateOnly) + ", before that from timestamps"
	}
	line("working", "%s · up to %d at once · %s", ms(in.Time.Working), in.Time.MostAtOnce, source)
	line("waiting", "%s for an answer of yours, where it was watched", ms(in.Time.Waiting))
	line("your turn", "%s, at most an hour each", ms(in.Time.Idle))
	line("thrown away", "%s · %s · %s · %s tokens", in.Waste.Cost.String(), output.Plural(in.Waste.Branches.Count, "conversation"),
		output.Plural(in.Waste.Interrupted.Count, "interrupted turn"), term.Tokens(in.Waste.Usage))
	line("corrections", "%s interrupted at least twice", output.Plural(in.Fixes.Count, "session"))
	var causes []string
	for _, c := range in.Cache.Causes {
		causes = append(causes, fmt.Sprintf("%s %d", causeNames[c.Cause], c.Count))
	}
	line("cache misses", "%s", strings.Join(append([]string{fmt.Sprintf("%d", in.Cache.Count), in.Cache.Cost.String()}, causes...), draw.Unicode.Gap))
	line("compactions", "%d · %d lost something", in.Compacted.Count, in.Compacted.Lost)
	line("agents", "%d of %d returned little · %s", in.Agents.Count, in.Agents.All, in.Agents.Cost.String())
	var ends []string
	for _, o := range outcomesOf(in) {
		ends = append(ends, fmt.Sprintf("%s %d", o.name, o.figure.Count))
	}
	line("ended", "%s", strings.Join(ends, draw.Unicode.Gap))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	for _, t := range insightTables(sh, in) {
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
	return nil
}

var causeNames = map[string]string{"idle5m": "idle over 5 min", "idle1h": "idle over 1 h", "model": "model switch", "other": "other"}

func insightTables(sh *shell.Shell, in *insight.Insights) []*term.Table {
	table := func(columns ...term.Column) *term.Table {
		columns[0].Style = term.Cyan
		return &term.Table{Screen: sh.Out.Screen, Columns: columns}
	}
	right := func(title string) term.Column { return term.Column{Title: title, Right: true} }
	flex := func(title string) term.Column { return term.Column{Title: title, Flex: true} }
	ms := func(n int64) string { return term.Duration(time.Duration(n) * time.Millisecond) }
	tools := table(term.Column{Title: "tool"}, right("calls"), right("failed"), right("p50"), right("p95"))
	for _, t := range in.Tools[:min(len(in.Tools), listed)] {
		tools.Row(output.Cells([]string{t.Tool, term.Count(t.Calls), output.NonZero(t.Errors), ms(t.P50), ms(t.P95)})...)
	}
	loops := table(right("loop"), flex("what"), term.Column{Title: "session"}, right("cost"))
	for _, l := range in.Loops[:min(len(in.Loops), listed)] {
		loops.Row(output.Cells([]string{fmt.Sprintf("%dx", l.Count), l.Tool + " " + l.Text, l.Title, fmt.Sprintf("$%.2f", l.USD)})...)
	}
	rules := table(term.Column{Title: "rule"}, right("asked"), right("denied"), right("waited"))
	for _, r := range in.Waits.Rules[:min(len(in.Waits.Rules), listed)] {
		rules.Row(output.Cells([]string{r.Rule, term.Count(r.Asked), output.NonZero(r.Denied), ms(r.Waited)})...)
	}
	lost := table(flex("compaction"), right("files"), right("commands"))
	for _, c := range in.Compacted.List[:min(len(in.Compacted.List), listed)] {
		if len(c.Files)+len(c.Commands) > 0 {
			lost.Row(output.Cells([]string{c.Title, output.NonZero(len(c.Files)), output.NonZero(len(c.Commands))})...)
		}
	}
	return []*term.Table{tools, loops, rules, lost}
}
