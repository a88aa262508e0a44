package draw

import (
	"regexp"
	"strings"
	"sync"

	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

var mdDivider = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
})

// tableLines is how many lines a table takes that the lines begin with, or 0.
func tableLines(lines []string) int {
	if len(lines) < 2 || !strings.Contains(lines[0], "|") || !strings.Contains(lines[1], "|") ||
		len(lines[1]) > maxMarked || !mdDivider().MatchString(lines[1]) || len(view.TableCells(lines[0])) != len(view.TableCells(lines[1])) {
		return 0
	}
	n := 2
	for n < len(lines) && strings.Contains(lines[n], "|") && len(lines[n]) <= maxMarked {
		n++
	}
	return n
}

// table draws a table in columns. One that is too wide for the room is left as it
// was written: no word may get lost.
func (d *Drawer) table(lines []string, room int) ([]row, bool) {
	var grid [][][]run
	var widths []int
	for i, line := range lines {
		if i == 1 {
			continue
		}
		style := term.Plain
		if i == 0 {
			style = term.Bold
		}
		var cols [][]run
		for _, cell := range view.TableCells(line) {
			cols = append(cols, inline(cell, style))
		}
		for c := range cols {
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], runsWidth(cols[c]))
		}
		grid = append(grid, cols)
	}
	const gap = 2
	total := -gap
	for _, w := range widths {
		total += w + gap
	}
	if room > 0 && total > room {
		return nil, false
	}
	var rows []row
	for i, cols := range grid {
		var r row
		for c, cell := range cols {
			r.runs = append(r.runs, cell...)
			if c < len(cols)-1 {
				r.runs = append(r.runs, run{strings.Repeat(" ", widths[c]-runsWidth(cell)+gap), term.Plain})
			}
		}
		rows = append(rows, r)
		if i == 0 {
			rows = append(rows, row{runs: []run{{strings.Repeat(d.glyphs.Rule[:len(d.glyphs.Rule)/2], total), term.Dim}}})
		}
	}
	return rows, true
}

func runsWidth(runs []run) int {
	n := 0
	for _, r := range runs {
		n += term.Width(r.text)
	}
	return n
}
