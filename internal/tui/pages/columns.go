package pages

import (
	"strings"

	"sesskeep/internal/term"
)

// Column describes one cell of every row of a list. Widths do not depend on the
// rows, so that nothing jumps while one scrolls.
type Column struct {
	Title   string
	Width   int  // in cells
	Right   bool // aligned right, as numbers are
	Stretch bool // takes what room is left
	Style   term.Style
	From    int // the least width of a list that has it
}

// Columns lays out rows. The first cell of every line marks the chosen row.
type Columns []Column

const columnGap = 2

// Fit leaves out what a list of this width has no room for, and gives the rest
// to the columns that stretch.
func (c Columns) Fit(width int) Columns {
	var out Columns
	room, stretching := width-1, 0
	for _, col := range c {
		if col.Width == 0 || col.From > width {
			continue
		}
		room -= columnGap
		if col.Stretch {
			stretching++
		} else {
			room -= col.Width
		}
		out = append(out, col)
	}
	room += columnGap
	for i := range out {
		if out[i].Stretch {
			out[i].Width = max(4, room/stretching)
		}
	}
	return out
}

// Width is how wide a column is; 0: it is not shown.
func (c Columns) Width(title string) int {
	for _, col := range c {
		if col.Title == title {
			return col.Width
		}
	}
	return 0
}

// Header is the line with the titles.
func (c Columns) Header(sc term.Screen) string {
	line := " "
	for i, col := range c {
		line += gap(i) + col.cell(sc, strings.ToUpper(col.Title), term.Dim)
	}
	return line
}

// Row is one line; cells are found by the titles of their columns, and need not
// be clean.
func (c Columns) Row(sc term.Screen, chosen bool, cell func(title string) term.Cell) string {
	var b strings.Builder
	if chosen {
		b.WriteString(sc.Paint(term.Bold|term.Cyan, GlyphsOf(sc).Chosen))
	} else {
		b.WriteByte(' ')
	}
	for i, col := range c {
		one := cell(col.Title)
		style := one.Style
		if style == term.Plain {
			style = col.Style
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

func (col Column) cell(sc term.Screen, text string, style term.Style) string {
	text = Cut(sc, text, col.Width)
	space := strings.Repeat(" ", max(0, col.Width-term.Width(text)))
	if col.Right {
		return space + sc.Paint(style, text)
	}
	return sc.Paint(style, text) + space
}
