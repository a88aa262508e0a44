package tui

import (
	"fmt"
	"strings"
	"time"

	"sesskeep/internal/term"
)

// rungs are how full a cell of a chart can be, from nothing to all.
type rungs struct{ up, right []string }

var (
	unicodeRungs = rungs{strings.Split(" ▁▂▃▄▅▆▇█", ""), strings.Split(" ▏▎▍▌▋▊▉█", "")}
	asciiRungs   = rungs{strings.Split(" .:#", ""), strings.Split(" =", "")}
)

func rungsOf(sc term.Screen) rungs {
	if sc.ASCII {
		return asciiRungs
	}
	return unicodeRungs
}

// bar is a horizontal bar whose length is a part of the highest. A value above zero always draws
// at least one cell.
func bar(sc term.Screen, part, highest float64, width int) string {
	if part <= 0 || highest <= 0 {
		return ""
	}
	steps := rungsOf(sc).right
	per := len(steps) - 1
	n := max(1, int(part/highest*float64(width*per)+0.5))
	text := strings.Repeat(steps[per], n/per)
	if rest := n % per; rest > 0 {
		text += steps[rest]
	}
	return text
}

// chartMargin is the room for the names of heights.
const chartMargin = 10

// chart draws a bar for every day, and below it the days of every week. Days
// that the report leaves out are set back.
func (u *usage) chart(width, height int) []string {
	each := min(6, (width-chartMargin-1)/chartDays)
	values, highest := u.days()
	if height < 2 || each < 1 || highest == 0 {
		return nil
	}
	steps := rungsOf(u.world.Screen).up
	per := len(steps) - 1
	lines := make([]string, 0, height+2)
	for line := range height {
		name := ""
		if line == 0 {
			name = u.heightName(highest)
		}
		text := u.world.Screen.Paint(term.Dim, fmt.Sprintf("%*s ", chartMargin-1, name))
		below := (height - 1 - line) * per
		var old, now strings.Builder
		for i, v := range values {
			full := 0
			if v > 0 {
				full = max(1, int(v/highest*float64(height*per)+0.5))
			}
			b := &now
			if u.leavesOut(i) {
				b = &old
			}
			wide := max(1, each-each/3)
			b.WriteString(strings.Repeat(steps[max(0, min(per, full-below))], wide) + strings.Repeat(" ", each-wide))
		}
		lines = append(lines, strings.TrimRight(text+u.world.Screen.Paint(term.Dim, old.String())+u.world.Screen.Paint(term.Green, now.String()), " "))
	}
	return append(lines, u.world.Screen.Paint(term.Dim, u.weeks(each)), "")
}

// days are the values of the chart, the last is today, and the highest of them.
func (u *usage) days() (values [chartDays]float64, highest float64) {
	r := &u.got.days
	at := map[string]float64{}
	for i := range r.Rows {
		at[r.Rows[i].Key] = weight(r, &r.Rows[i])
	}
	for i := range values {
		values[i] = at[u.day(i).Format(time.DateOnly)]
		highest = max(highest, values[i])
	}
	return values, highest
}

// day is a day of the chart.
func (u *usage) day(i int) time.Time { return daysAgo(u.got.now, chartDays-1-i) }

// leavesOut reports whether a day of the chart is none of the report.
func (u *usage) leavesOut(i int) bool {
	days := usageSpans[u.span].days
	return days > 0 && i < chartDays-days
}

// heightName says how much the highest bar is.
func (u *usage) heightName(highest float64) string {
	if u.got.days.Totals.Cost.Amount() > 0 {
		return fmt.Sprintf("$%.2f", highest)
	}
	return term.Tokens(int64(highest))
}

// weeks is the line with the dates below the bars, one bar a week.
func (u *usage) weeks(each int) string {
	line := strings.Repeat(" ", chartMargin)
	for i := (chartDays - 1) % 7; i < chartDays; i += 7 {
		name := u.day(i).Format("01-02")
		// A date ends where the bar of its day does.
		from := chartMargin + (i+1)*each - each/3 - len(name)
		if from >= len(line) {
			line += strings.Repeat(" ", from-len(line)) + name
		}
	}
	return line
}
