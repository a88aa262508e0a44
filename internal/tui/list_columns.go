package tui

import (
	"strings"

	"sesskeep/internal/term"
)

// column describes one cell of every row of a list. Widths do not depend on the
// rows, so that nothing jumps while one scrolls.
type column struct {
	title   string
	width   int  // in cells
	right   bool // aligned right, as numbers are
	stretch bool // takes what room is left
	style   term.Style
	from    int // the least width of a list that has it
}

// columns lays out rows. The first cell of every line marks the chosen row.
type columns []column

const columnGap = 2

// fit leaves out what a list of this width has no room for, and gives the rest
// to the columns that stretch.
func (c columns) fit(width int) columns {
	var out columns
	room, stretching := width-1, 0
	for _, col := range c {
		if col.width == 0 || col.from > width {
			continue
		}
		room -= columnGap
		if col.stretch {
			stretching++
		} else {
			room -= col.width
		}
		out = append(out, col)
	}
	room += columnGap
	for i := range out {
		if out[i].stretch {
			out[i].width = max(4, room/stretching)
		}
	}
	return out
}

// header is the line with the titles.
func (c columns) header(sc term.Screen) string {
	line := " "
	for i, col := range c {
		line += gap(i) + col.cell(sc, strings.ToUpper(col.title), term.Dim)
	}
	return line
}

// row is one line; cells are found by the titles of their columns, and need not
// be clean.
func (c columns) row(sc term.Screen, chosen bool, cell func(title string) term.Cell) string {
	var b strings.Builder
	if chosen {
		b.WriteString(sc.Paint(term.Bold|term.Cyan, glyphsOf(sc).chosen))
	} else {
		b.WriteByte(' ')
	}
	for i, col := range c {
		one := cell(col.title)
		style := one.Style
		if style == term.Plain {
			style = col.style
		}
		if chosen {
			style |= term.Bold
			style &^= term.Dim
		}
		b.WriteString(gap(i))
		b.WriteString(col.cell(sc, term.Line(one.Text), style))
	}
	return b.String()
}

// gap stands before a column. The first follows the mark at once.
func gap(i int) string {
	if i == 0 {
		return ""
	}
	return strings.Repeat(" ", columnGap)
}

func (col column) cell(sc term.Screen, text string, style term.Style) string {
	text = cut(sc, text, col.width)
	space := strings.Repeat(" ", max(0, col.width-term.Width(text)))
	if col.right {
		return space + sc.Paint(style, text)
	}
	return sc.Paint(style, text) + space
}
