package usage

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli/output"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/money"
	"sesskeep/internal/term"
)

func printUsage(ctx context.Context, sh *shell.Shell, r *catalog.UsageReport, zone *time.Location) error {
	return sh.Out.Print(ctx, output.Listing{
		Value: *r, Items: "rows",
		Table: func(s term.Screen) *term.Table {
			if !s.TTY {
				return usageRows(r)
			}
			return usageTable(s, r, zone)
		},
		Below:  LimitLines(r.Limits, sh.Now().In(zone)),
		Footer: usageFooter(r),
		Empty:  "No usage in this time.",
	})
}

// usageTable is a report for people.
func usageTable(s term.Screen, r *catalog.UsageReport, zone *time.Location) *term.Table {
	t := &term.Table{Screen: s, Columns: []term.Column{{Title: r.Noun(), Style: term.Cyan, Min: 16}}}
	if r.By == "session" {
		t.Columns[0].Style = term.Yellow
		t.Columns = append(t.Columns, term.Column{Title: "title", Flex: true, Min: 16})
	}
	t.Columns = append(t.Columns, term.Column{Title: "cost", Right: true}, term.Column{Title: "input", Right: true},
		term.Column{Title: "output", Right: true}, term.Column{Title: "cache-r", Right: true}, term.Column{Title: "hit%", Right: true})
	if r.By == "session" {
		t.Columns = append(t.Columns, term.Column{Title: "agents", Right: true})
	} else {
		t.Columns = append(t.Columns, term.Column{Title: "sessions", Right: true})
	}
	t.Columns = append(t.Columns, term.Column{Title: "cache-w", Right: true}, term.Column{Title: "", Style: term.Green})
	highest := 0.0
	for i := range r.Rows {
		highest = max(highest, weight(r, &r.Rows[i]))
	}
	name := rowNames(r, zone)
	for i := range r.Rows {
		row := &r.Rows[i]
		cells := []string{name(row)}
		if r.By == "session" {
			cells = append(cells, titleOf(row))
		}
		cells = append(cells, figures(row.Spending)...)
		cells = append(cells, lastFigure(r, row), written(row.Usage), spark(s, weight(r, row), highest))
		t.Row(output.Cells(cells)...)
	}
	if len(r.Rows) > 0 {
		total := append([]string{"TOTAL"}, figures(r.Totals.Spending)...)
		if r.By == "session" {
			total = append(append([]string{"TOTAL", ""}, total[1:]...), "")
		} else {
			total = append(total, term.Count(r.Totals.Sessions))
		}
		t.Row(output.Cells(append(total, written(r.Totals.Usage)))...)
	}
	return t
}

// titleOf is the title of a session, which cannot be opened if it lies in the trash.
func titleOf(row *catalog.UsageRow) string {
	if row.Trashed {
		return strings.TrimSpace(row.Title + " (in the trash)")
	}
	return row.Title
}

// written is how much was written to the cache.
func written(u sesskeep.Usage) string { return term.Tokens(u.CacheWrite5m + u.CacheWrite1h) }

func lastFigure(r *catalog.UsageReport, row *catalog.UsageRow) string {
	switch {
	case r.By != "session":
		return term.Count(row.Sessions)
	case row.Agents == nil:
		return ""
	}
	return row.Agents.Cost.String()
}

// figures are the columns that every row and the total have.
func figures(s money.Spending) []string {
	return []string{
		s.Cost.String(), term.Tokens(s.Usage.Input), term.Tokens(s.Usage.Output),
		term.Tokens(s.Usage.CacheRead), hit(s.Usage),
	}
}

// hit is the part of the input that came from the cache, in percent.
func hit(u sesskeep.Usage) string {
	if u.Context() == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*float64(u.CacheRead)/float64(u.Context()))
}

// weight is what bars compare: money, or tokens where nothing has a price.
func weight(r *catalog.UsageReport, row *catalog.UsageRow) float64 {
	if r.Totals.Cost.Amount() > 0 {
		return row.Cost.Amount().USD()
	}
	return float64(row.Usage.Context() + row.Usage.Output)
}

// spark is a bar one cell wide, or some signs wide where there are only plain
// characters.
func spark(s term.Screen, part, highest float64) string {
	if part <= 0 || highest <= 0 {
		return ""
	}
	const steps = "▁▂▃▄▅▆▇█"
	n := len([]rune(steps))
	level := min(n, 1+int(part/highest*float64(n)-1e-9))
	if s.ASCII {
		return strings.Repeat("#", level)
	}
	return string([]rune(steps)[level-1])
}

// rowNames gives every row the name people read: days without the year they
// all are of, ids that are short.
func rowNames(r *catalog.UsageReport, zone *time.Location) func(*catalog.UsageRow) string {
	switch r.By {
	case "session":
		ids := make([]catalog.Session, len(r.Rows))
		for i := range r.Rows {
			ids[i].ID = r.Rows[i].Key
		}
		short := output.ShortIDs(ids)
		return func(row *catalog.UsageRow) string { return short[row.Key] + row.Suffix }
	case "day", "window":
		from, to := "2006-01-02", "15:04"
		if n := len(r.Rows); n > 0 && r.Rows[0].From.In(zone).Year() == r.Rows[n-1].From.In(zone).Year() {
			from = "01-02"
		}
		return func(row *catalog.UsageRow) string {
			if row.From.IsZero() {
				return row.Key
			}
			text := row.From.In(zone).Format(from)
			if r.By == "window" {
				text += " " + row.From.In(zone).Format(to) + "-" + row.To.In(zone).Format(to)
			}
			if row.Active {
				text += " now"
			}
			return text
		}
	}
	return func(row *catalog.UsageRow) string { return row.Key }
}

// usageRows is a report for programs: whole figures.
func usageRows(r *catalog.UsageReport) *term.Table {
	t := &term.Table{}
	for _, title := range []string{
		r.Noun(), "title", "project", "cost_usd", "input", "output", "cache_read", "cache_write_5m", "cache_write_1h",
		"web_searches", "hit_percent", "sessions", "messages", "agents_usd", "unpriced_models",
	} {
		t.Columns = append(t.Columns, term.Column{Title: title})
	}
	n := func(n int64) string { return strconv.FormatInt(n, 10) }
	for i := range r.Rows {
		row := &r.Rows[i]
		u := row.Usage
		agents := ""
		if row.Agents != nil {
			agents = Dollars(row.Agents.Cost)
		}
		project := row.Project
		if r.By == "project" {
			project = row.ProjectPath
		}
		t.Row(output.Cells([]string{
			row.Key + row.Suffix, titleOf(row), project, Dollars(row.Cost), n(u.Input), n(u.Output), n(u.CacheRead),
			n(u.CacheWrite5m), n(u.CacheWrite1h), n(u.WebSearches), hit(u), n(int64(row.Sessions)), n(int64(row.Messages)),
			agents, strings.Join(row.Cost.UnpricedModels, " "),
		})...)
	}
	return t
}

// Dollars is a cost as a plain number with all its decimals, or "" if it is unknown.
func Dollars(c money.Cost) string {
	if c.USD == nil {
		return ""
	}
	return strings.TrimPrefix(c.USD.Exact(), "$")
}

// LimitLines say how much of a plan's limits is used, a line a home.
func LimitLines(list []ask.Limit, now time.Time) []string {
	var lines []string
	several := len(list) > 0 && list[len(list)-1].Root != list[0].Root
	for len(list) > 0 {
		root, title, texts := list[0].Root, "LIMITS: ", []string{}
		seen := "seen just now"
		if ago := term.Ago(list[0].Seen.Time, now); ago != "now" {
			seen = "seen " + ago + " ago"
		}
		if several {
			title = "LIMITS of " + term.Line(cmp.Or(list[0].Home, root)) + ": "
		}
		for len(list) > 0 && list[0].Root == root {
			texts = append(texts, limitText(&list[0], now))
			list = list[1:]
		}
		lines = append(lines, title+strings.Join(append(texts, seen), " · "))
	}
	return lines
}

func limitText(l *ask.Limit, now time.Time) string {
	name := strings.NewReplacer("five_hour", "5-hour", "seven_day", "7-day", "_", " ").Replace(l.Name)
	text := fmt.Sprintf("%s %.0f %% used", name, l.Percent)
	resets := l.Resets.In(now.Location())
	switch {
	case l.Resets.IsZero():
		return text
	case !resets.After(now):
		return name + " has reset since"
	case resets.Sub(now) < 24*time.Hour:
		text += ", resets " + resets.Format("15:04")
	default:
		text += ", resets " + resets.Format("01-02 15:04")
	}
	return text + forecastText(l, now)
}

// forecastText says when a limit is used up at the pace of its window so far; empty: not before
// it resets.
func forecastText(l *ask.Limit, now time.Time) string {
	if l.FullAt.IsZero() {
		return ""
	}
	full, form := l.FullAt.In(now.Location()), "15:04"
	if full.Sub(now) >= 24*time.Hour {
		form = "01-02 15:04"
	}
	return fmt.Sprintf(", at this pace full at %s, %s before it resets", full.Format(form), term.Duration(l.Resets.Sub(full)))
}

// usageFooter says how much is shown and what it was priced with.
func usageFooter(r *catalog.UsageReport) string {
	text := output.Plural(r.Total, r.Noun())
	if r.HasMore {
		text = fmt.Sprintf("%s of %s", term.Count(len(r.Rows)), text)
	}
	if included := r.Totals.Included(); included != "" {
		text += " · " + included + " (--listed leaves them out)"
	}
	return text + " · " + PricedWith(r.Prices, r.Unpriced)
}

// PricedWith names the table of prices, and what is not in it.
func PricedWith(p money.PriceList, unpriced []money.Unpriced) string {
	text := "priced with table " + p.Date
	if len(p.Own) > 0 {
		text += " and own prices for " + output.Plural(len(p.Own), "model")
	}
	if len(unpriced) == 0 {
		return text
	}
	share := 0.0
	var names []string
	for _, u := range unpriced {
		share += u.Share
		names = append(names, term.Line(u.Model))
	}
	if len(names) > 3 {
		names = append(names[:3], "…")
	}
	return fmt.Sprintf("%s · %s unpriced (%s of tokens): %s", text, output.Plural(len(unpriced), "model"), percent(share), strings.Join(names, ", "))
}

func percent(share float64) string {
	if share > 0 && share < 0.005 {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}
