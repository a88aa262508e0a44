package tui

import (
	"fmt"
	"strings"
	"time"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

func (u *usage) View(width, height int) []string {
	lines := []string{u.heading(width)}
	switch {
	case u.got.err != nil:
		return append(lines, "", "  "+pages.Cut(u.world.Screen, "Cannot report: "+term.Line(u.got.err.Error()), width-2))
	case !u.loaded:
		return append(lines, "", "  Reading transcripts"+pages.GlyphsOf(u.world.Screen).Ellipsis)
	}
	lines = append(lines, u.cards(width)...)
	lines = append(lines, u.chart(width, chartHeight(height))...)
	u.tableAt = len(lines) + 1
	lines = append(lines, u.table(width, max(0, height-u.tableAt))...)
	for len(lines) < height-1 {
		lines = append(lines, "")
	}
	return append(lines, u.foot(width))
}

// chartHeight is how many lines the bars get of a page, if any.
func chartHeight(height int) int {
	if height < 16 {
		return 0
	}
	return min(10, height/4)
}

func (u *usage) heading(width int) string {
	sc := u.world.Screen
	line := " " + sc.Paint(term.Bold, "8 Usage") + "  "
	for i, kind := range usageKinds {
		if i == u.kind {
			line += sc.Paint(term.Bold|term.Cyan, "["+kind+"]")
		} else {
			line += sc.Paint(term.Dim, " "+kind+" ")
		}
	}
	right := usageSpans[u.span].name
	if u.got.reading {
		right += " so far"
	}
	if included := u.got.report.Totals.Included(); included != "" {
		right += ", " + included
	}
	if n := len(u.got.report.Rows); n > 0 {
		right += fmt.Sprintf("  %s/%s", term.Count(u.list.At+1), term.Count(n))
	}
	return pages.Spread(sc, line, sc.Paint(term.Dim, right)+" ", width)
}

// cards are the sums, each below its name.
func (u *usage) cards(width int) []string {
	sc, total := u.world.Screen, &u.got.report.Totals
	t := total.Usage
	cards := [][2]string{
		{"cost", u.markPartial(total.Cost.String())}, {"input", u.markPartial(term.Tokens(t.Input))}, {"output", u.markPartial(term.Tokens(t.Output))},
		{"cache-r", u.markPartial(term.Tokens(t.CacheRead))}, {"cache-w", u.markPartial(term.Tokens(t.CacheWrite5m + t.CacheWrite1h))},
		{"hit%", hitPercent(t)}, {"sessions", u.markPartial(term.Count(total.Sessions))},
	}
	room := min(18, (width-1)/len(cards))
	names, values := " ", " "
	for _, c := range cards {
		names += sc.Paint(term.Dim, pages.Fill(sc, strings.ToUpper(c[0]), room))
		values += sc.Paint(term.Bold, pages.Fill(sc, c[1], room))
	}
	return []string{names, values, ""}
}

// table is the report: a line for every row that fits.
func (u *usage) table(width, height int) []string {
	switch {
	case len(u.got.report.Rows) == 0 && u.got.reading:
		return []string{"", "  Nothing is counted yet."}
	case len(u.got.report.Rows) == 0 && usageSpans[u.span].days > 0:
		key := keys.Find(keys.Range).Keys[0]
		return []string{"", "  " + u.world.SoFar("No usage in this time.") + " " + pages.KeyName(u.world.Screen, key) + " looks further back."}
	case len(u.got.report.Rows) == 0:
		return []string{"", "  " + u.world.SoFar("No usage.")}
	}
	if height < 2 {
		return nil
	}
	highest := 0.0
	for i := range u.got.report.Rows {
		highest = max(highest, weight(&u.got.report, &u.got.report.Rows[i]))
	}
	cols := u.columns(width)
	lines := []string{cols.Header(u.world.Screen)}
	return append(lines, u.list.View(height-1, func(i int, chosen bool) string {
		row := u.row(i)
		return cols.Row(u.world.Screen, chosen, func(title string) term.Cell { return u.cell(cols, row, title, highest) })
	})...)
}

// barTitle names the column of bars, which has no title.
const barTitle = ""

func (u *usage) columns(width int) pages.Columns {
	by := u.got.report.Noun()
	name := pages.Column{Title: by, Width: 12, Style: term.Cyan}
	bar := pages.Column{Title: barTitle, Width: max(0, min(40, width-71)), Style: term.Green}
	var more pages.Columns
	switch by {
	case "project", "model":
		name.Stretch = true
		bar = pages.Column{Title: barTitle, Width: min(40, width/5), Style: term.Green, From: 90}
	case "session":
		name.Width, name.Style = 8, term.Yellow
		more = pages.Columns{
			{Title: "title", Stretch: true, Width: 1},
			{Title: "project", Width: 18, Style: term.Cyan, From: 120},
		}
		bar = pages.Column{Title: barTitle, Width: min(30, width/8), Style: term.Green, From: 100}
	}
	number := func(title string, width, from int) pages.Column {
		return pages.Column{Title: title, Width: width, Right: true, From: from}
	}
	list := append(pages.Columns{name}, more...)
	list = append(list, number("cost", 10, 0))
	tokensFrom, writesFrom := 0, 100
	if by == "session" {
		list = append(list, number("own", 9, 0), number("agents", 9, 0))
		tokensFrom, writesFrom = 150, 165
	}
	list = append(list, number("input", 7, tokensFrom), number("output", 7, tokensFrom), number("cache-r", 7, tokensFrom),
		number("cache-w", 7, writesFrom), number("hit%", 5, 0))
	if by != "session" {
		list = append(list, number("sessions", 8, 0))
	}
	return append(list, bar).Fit(width)
}

func (u *usage) cell(cols pages.Columns, row *catalog.UsageRow, title string, highest float64) term.Cell {
	text := ""
	switch title {
	case "title":
		text = row.Title
		if text == "" {
			return term.Cell{Text: "(no title)", Style: term.Dim}
		}
	case "project":
		if text = row.Project; u.got.report.By == "project" {
			text = row.Key
		}
		text = u.world.ProjectName(text)
	case "cost":
		text = u.markPartial(row.Cost.String())
	case "own":
		text = ownCost(row)
	case "agents":
		if row.Agents != nil {
			text = row.Agents.Cost.String()
		}
	case "input":
		text = term.Tokens(row.Usage.Input)
	case "output":
		text = term.Tokens(row.Usage.Output)
	case "cache-r":
		text = term.Tokens(row.Usage.CacheRead)
	case "cache-w":
		text = term.Tokens(row.Usage.CacheWrite5m + row.Usage.CacheWrite1h)
	case "hit%":
		text = hitPercent(row.Usage)
	case "sessions":
		text = term.Count(row.Sessions)
	case barTitle:
		text = bar(u.world.Screen, weight(&u.got.report, row), highest, cols[len(cols)-1].Width)
	default:
		text = u.name(row)
	}
	return term.Cell{Text: text}
}

// name is what people call a row by.
func (u *usage) name(row *catalog.UsageRow) string {
	switch by := u.got.report.By; {
	case by == "session":
		return row.Key[:min(8, len(row.Key))] + row.Suffix
	case by == "day" && !row.From.IsZero():
		layout := "01-02 Mon"
		if rows, zone := u.got.report.Rows, u.got.now.Location(); row.From.In(zone).Year() != rows[len(rows)-1].From.In(zone).Year() {
			layout = time.DateOnly
		}
		return row.From.In(u.got.now.Location()).Format(layout)
	}
	return row.Key
}

// foot says what the figures were priced with, and whether they are all.
func (u *usage) foot(width int) string {
	sc, r, gap := u.world.Screen, &u.got.report, pages.GlyphsOf(u.world.Screen).Gap
	text := draw.Plural(r.Total, r.Noun()) + gap + "priced with table " + term.Line(r.Prices.Date)
	if n := len(r.Prices.Own); n > 0 {
		text += " and own prices for " + draw.Plural(n, "model")
	}
	if len(r.Unpriced) > 0 {
		share, names := 0.0, []string{}
		for _, m := range r.Unpriced {
			share += m.Share
			names = append(names, term.Line(m.Model))
		}
		text += fmt.Sprintf("%s%s unpriced (%s of tokens): %s", gap, draw.Plural(len(names), "model"), percent(share), strings.Join(names, ", "))
	}
	if !u.got.reading {
		return " " + sc.Paint(term.Dim, pages.Cut(sc, text, width-2))
	}
	so := "So far: transcripts are being read"
	if u.got.total > 0 {
		so = fmt.Sprintf("So far: %s of %s transcripts are read", term.Count(u.got.files), term.Count(u.got.total))
	}
	return pages.Cut(sc, " "+sc.Paint(term.Yellow, so)+sc.Paint(term.Dim, gap+text), width)
}

// markPartial marks a figure that grows while transcripts are read.
func (u *usage) markPartial(text string) string {
	switch {
	case !u.got.reading:
		return text
	case u.world.Screen.ASCII:
		return ">" + text
	}
	return "≥" + text
}

// ownCost is what a session spent without its agents.
func ownCost(row *catalog.UsageRow) string {
	if row.Agents == nil {
		return row.Cost.String()
	}
	if row.Cost.USD == nil || row.Agents.Messages == row.Messages {
		return ""
	}
	return (row.Cost.Amount() - row.Agents.Cost.Amount()).String()
}

// hitPercent is the part of the input that came from the cache.
func hitPercent(u sesskeep.Usage) string {
	if u.Context() == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*float64(u.CacheRead)/float64(u.Context()))
}

func percent(share float64) string {
	if share > 0 && share < 0.005 {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// weight is what bars compare: money, or tokens where nothing has a price.
func weight(r *catalog.UsageReport, row *catalog.UsageRow) float64 {
	if r.Totals.Cost.Amount() > 0 {
		return row.Cost.Amount().USD()
	}
	return float64(row.Usage.Context() + row.Usage.Output)
}
