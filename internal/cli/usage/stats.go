package usage

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/draw"
	"sesskeep/internal/money"
	"sesskeep/internal/term"

	"github.com/spf13/cobra"
)

// StatsCommand is "stats".
func StatsCommand(sh *shell.Shell) *cobra.Command {
	var o MoneyOptions
	var listed bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show statistics: sessions, tools, models, hours, projects",
		Long: `Show statistics about your sessions: how many, when, with which models and tools, in
which projects, and the longest ones. It covers all projects; -p picks one. --since,
--until and --on count only what happened in that time: its prompts, messages, answers
and calls, and the sessions they were in.

Sessions, prompts and messages are counted as "ls" counts them; messages are also
those of agents. Answers, tokens and tool calls that several files have, as forks do,
count once. Archived and trashed sessions count too, as in "usage", unless --listed is
given. A call failed when the tool said so or was refused.`,
		Example: `  sesskeep stats
  sesskeep stats -p my-app --since 30d -n 5
  sesskeep stats --jq '.tools[] | select(.errorCount > 0) | .tool'`,
		Args: shell.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runStats(cmd.Context(), sh, o, ask.Filter{Listed: listed})
		},
	}
	o.Register(cmd)
	cmd.Flags().BoolVar(&listed, "listed", false, "only what lists show: no archived sessions, and none in the trash")
	return cmd
}

// statsLimit is how long the lists are that people read.
const statsLimit = 10

func runStats(ctx context.Context, sh *shell.Shell, o MoneyOptions, filter ask.Filter) error {
	limit, err := sh.Limit()
	if err != nil {
		return err
	}
	form, err := sh.Out.Form()
	if err != nil {
		return err
	}
	tty := sh.Out.Screen.TTY && (form == "" || form == "table") && sh.Out.Flags.JQ == ""
	if tty {
		limit = cmp.Or(limit, statsLimit)
	}
	r, err := openReport(ctx, sh, o, filter)
	if err != nil {
		return err
	}
	defer r.done()
	s, err := r.app.Catalog.Reports.Stats(ctx, money.StatsOptions{Filter: r.filter, Zone: r.zone, Prices: r.prices, Limit: limit})
	if err != nil {
		return err
	}
	r.missTrash(sh)
	out := output.Listing{Value: s, Table: func(term.Screen) *term.Table { return statsRows(&s) }}
	if tty {
		out.Render = func(w io.Writer) error { return renderStats(sh, w, &s, r.zone, sh.ProjectName(ctx)) }
	}
	return sh.Out.Print(ctx, out)
}

// statsRows is everything for programs: what it is about, its name, a count,
// and a second one where there is one.
func statsRows(s *catalog.Stats) *term.Table {
	t := &term.Table{Columns: []term.Column{{Title: "about"}, {Title: "name"}, {Title: "count"}, {Title: "more"}}}
	row := func(about, name string, count int, more string) {
		t.Row(output.Cells([]string{about, name, strconv.Itoa(count), more})...)
	}
	row("total", "sessions", s.Counts.User, "")
	row("total", "agents", s.Counts.Agent, "")
	row("total", "helpers", s.Counts.Helper, "")
	row("total", "prompts", s.Prompts, "")
	row("total", "messages", s.Messages, "")
	row("total", "answers", s.Answers, Dollars(s.Totals.Cost))
	row("total", "days", s.ActiveDays, "")
	for _, m := range s.Models {
		row("model", m.Model, m.Messages, Dollars(m.Cost))
	}
	for _, c := range s.Tools {
		row("tool", c.Tool, c.Calls, strconv.Itoa(c.Errors))
	}
	for hour, n := range s.Hours {
		row("hour", fmt.Sprintf("%02d", hour), n, "")
	}
	for day, n := range s.Weekdays {
		row("weekday", weekday(day), n, "")
	}
	for _, p := range s.Projects {
		row("project", p.Project, p.Sessions, Dollars(p.Cost))
	}
	for i := range s.Longest {
		row("longest", s.Longest[i].Address(), s.Longest[i].MessageCount, "")
	}
	return t
}

func weekday(fromMonday int) string { return time.Weekday((fromMonday + 1) % 7).String()[:3] }

func renderStats(sh *shell.Shell, w io.Writer, s *catalog.Stats, zone *time.Location, project func(id string) string) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		text := strings.ReplaceAll(fmt.Sprintf(format, args...), draw.Unicode.Gap, sh.Out.Gap())
		fmt.Fprintf(&b, "%s %s\n", sh.Out.Screen.Paint(term.Dim, fmt.Sprintf("%-9s", name)), text)
	}
	line("sessions", "%s · %s · %s · %s", term.Count(s.Counts.User), output.Plural(s.Counts.Agent, "agent"),
		output.Plural(s.Counts.Helper, "helper"), term.Bytes(s.Size))
	line("prompts", "%s · %s", term.Count(s.Prompts), output.Plural(s.Messages, "message"))
	when := ""
	if !s.First.IsZero() {
		when = fmt.Sprintf(" on %s from %s to %s", output.Plural(s.ActiveDays, "day"),
			s.First.In(zone).Format(time.DateOnly), s.Last.In(zone).Format(time.DateOnly))
	}
	line("answers", "%s%s", term.Count(s.Answers), when)
	line("cost", "%s · %s", s.Totals.Cost.String(), PricedWith(s.Prices, s.Unpriced))
	line("hours", "%s  0 to 23 o'clock", sparkLines(sh, s.Hours[:]))
	line("weekdays", "%s  Monday to Sunday", sparkLines(sh, s.Weekdays[:]))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	for _, t := range statsTables(sh, s) {
		t.Edit("project", project)
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

// sparkLines draws counts side by side.
func sparkLines(sh *shell.Shell, counts []int) string {
	highest := 0
	for _, n := range counts {
		highest = max(highest, n)
	}
	var b strings.Builder
	for _, n := range counts {
		if sh.Out.Screen.ASCII { // tenths
			fmt.Fprint(&b, min(9, 10*n/max(highest, 1)))
			continue
		}
		b.WriteString(cmp.Or(spark(sh.Out.Screen, float64(n), float64(highest)), " "))
	}
	return b.String()
}

func statsTables(sh *shell.Shell, s *catalog.Stats) []*term.Table {
	table := func(columns ...term.Column) *term.Table {
		columns[0].Style = cmp.Or(columns[0].Style, term.Cyan)
		return &term.Table{Screen: sh.Out.Screen, Columns: columns}
	}
	right := func(title string) term.Column { return term.Column{Title: title, Right: true} }
	models := table(term.Column{Title: "model"}, right("answers"), right("output"), right("cost"))
	for _, m := range s.Models {
		models.Row(output.Cells([]string{m.Model, term.Count(m.Messages), term.Tokens(m.Usage.Output), m.Cost.String()})...)
	}
	tools := table(term.Column{Title: "tool"}, right("calls"), right("failed"), right("failed%"))
	for _, c := range s.Tools {
		tools.Row(output.Cells([]string{c.Tool, term.Count(c.Calls), output.NonZero(c.Errors), share(c.Errors, c.Calls)})...)
	}
	projects := table(term.Column{Title: "project"}, right("sessions"), right("prompts"), right("cost"))
	for _, p := range s.Projects {
		projects.Row(output.Cells([]string{p.Project, term.Count(p.Sessions), term.Count(p.Prompts), p.Cost.String()})...)
	}
	longest := table(term.Column{Title: "longest", Style: term.Yellow, Min: output.Uncut}, term.Column{Title: "title", Flex: true},
		right("msgs"), right("prompts"), right("time"))
	short := output.ShortIDs(s.Longest)
	for i := range s.Longest {
		r := &s.Longest[i]
		took := ""
		if !r.CreatedAt.IsZero() {
			took = term.Duration(r.LastActivityAt.Sub(r.CreatedAt.Time))
		}
		longest.Row(output.Cells([]string{short[r.ID] + r.Suffix(), catalog.NameOf(r), term.Count(r.MessageCount), term.Count(r.PromptCount), took})...)
	}
	return []*term.Table{models, tools, projects, longest}
}

func share(part, all int) string {
	if part == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(all))
}
