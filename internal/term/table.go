package term

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"
)

const (
	columnGap = 2
	leastText = 10 // text cut to less says nothing
	hidden    = -1 // the width of a column that is left out
)

// Table collects rows and writes them in one of two forms. On a terminal columns
// are aligned under a header and cut to the width of the screen; the flexible
// ones give way first. On a pipe cells are separated by tabs, whole, without
// colour.
type Table struct {
	Screen  Screen
	Columns []Column
	Header  bool // writes the titles on a pipe too

	rows [][]Cell
}

// Column describes the cells below one title.
type Column struct {
	Title string // ours, never from a transcript; leading spaces stay
	Right bool   // aligned right, as numbers are
	Flex  bool   // gives way first
	Style Style  // of cells without a style
	Min   int    // cells below which the column is not cut; 0: 10
}

// Cell is one field of a row. The table cleans Text.
type Cell struct {
	Text  string
	Style Style
}

// Row adds a row. Missing cells are empty, cells beyond the columns are ignored.
func (t *Table) Row(cells ...Cell) {
	row := make([]Cell, len(t.Columns))
	copy(row, cells)
	for i := range row {
		if t.Screen.TTY {
			row[i].Text = Line(row[i].Text)
			continue
		}
		// A script wants the spaces of a path as they are, but a tab or a
		// newline would break the row.
		row[i].Text = separators.Replace(Clean(row[i].Text))
	}
	t.rows = append(t.rows, row)
}

// Insert adds a column with a cell for every row there is, before the column
// numbered at.
func (t *Table) Insert(at int, column Column, cells []Cell) {
	t.Columns = slices.Insert(t.Columns, at, column)
	for i := range t.rows {
		t.rows[i] = slices.Insert(t.rows[i], at, Cell{})
		if i < len(cells) {
			t.rows[i][at] = Cell{Line(cells[i].Text), cells[i].Style}
		}
	}
}

// Edit changes the text of every cell below a title.
func (t *Table) Edit(title string, change func(string) string) {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Title == title })
	if at < 0 {
		return
	}
	for _, row := range t.rows {
		row[at].Text = change(row[at].Text)
	}
}

var separators = strings.NewReplacer("\t", " ", "\n", " ")

// Write writes the table. Without rows a terminal gets nothing, so that the
// caller can say in words why the list is empty.
func (t *Table) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	if t.Screen.TTY {
		t.writeAligned(b)
	} else {
		t.writeTabs(b)
	}
	return b.Flush()
}

func (t *Table) writeTabs(b *bufio.Writer) {
	rows := t.rows
	if t.Header {
		titles := t.titles()
		for i := range titles {
			titles[i].Text = Line(titles[i].Text)
		}
		rows = append([][]Cell{titles}, rows...)
	}
	for _, row := range rows {
		for i, c := range row {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(c.Text)
		}
		b.WriteByte('\n')
	}
}

func (t *Table) writeAligned(b *bufio.Writer) {
	if len(t.rows) == 0 {
		return
	}
	widths := t.widths()
	if t.titled() {
		t.writeRow(b, t.titles(), widths)
	}
	for _, row := range t.rows {
		t.writeRow(b, row, widths)
	}
}

// writeRow holds spaces back until text follows, so that no line ends with them.
func (t *Table) writeRow(b *bufio.Writer, row []Cell, widths []int) {
	held := 0
	for i, width := range widths {
		if width == hidden {
			continue
		}
		text := truncate(row[i].Text, width, t.Screen.ellipsis())
		style := row[i].Style
		if style == Plain {
			style = t.Columns[i].Style
		}
		before, after := 0, width-Width(text)
		if t.Columns[i].Right {
			before, after = after, before
		}
		if text != "" {
			b.WriteString(spaces(held + before))
			b.WriteString(t.Screen.Paint(style, text))
			held, before = 0, 0
		}
		held += before + after + columnGap
	}
	b.WriteByte('\n')
}

func (t *Table) titles() []Cell {
	row := make([]Cell, len(t.Columns))
	for i, c := range t.Columns {
		row[i] = Cell{Text: strings.ToUpper(Clean(c.Title)), Style: Dim}
	}
	return row
}

func (t *Table) titled() bool {
	for _, c := range t.Columns {
		if c.Title != "" {
			return true
		}
	}
	return false
}

// widths shares the screen among the columns; a column that has to be left out
// gets hidden. When the screen is too narrow for all, flexible columns shrink,
// then other text. Numbers are never cut, so that none is misread: columns are
// left out from the right before that.
func (t *Table) widths() []int {
	natural := t.natural()
	for {
		widths := slices.Clone(natural)
		if t.fit(widths) {
			return widths
		}
		natural[t.expendable(natural)] = hidden
	}
}

// fit shrinks columns until they fit the screen and reports whether they do.
func (t *Table) fit(widths []int) bool {
	limit := t.Screen.Width
	if limit <= 0 {
		return true
	}
	shown, over := 0, -columnGap-limit
	for i, w := range widths {
		if w != hidden {
			shown++
			widths[i] = min(w, limit)
			over += widths[i] + columnGap
		}
	}
	if shown <= 1 {
		return true
	}
	over = t.shrink(widths, over, func(c Column) bool { return c.Flex })
	over = t.shrink(widths, over, func(c Column) bool { return !c.Right })
	return over <= 0
}

// expendable is the column to leave out next: the last that is not flexible,
// for what is flexible is what the reader looks for.
func (t *Table) expendable(widths []int) int {
	last := -1
	for i, c := range slices.Backward(t.Columns) {
		if widths[i] == hidden {
			continue
		}
		if !c.Flex && i > 0 {
			return i
		}
		last = max(last, i)
	}
	return last
}

// natural is the width of the widest cell of every column.
func (t *Table) natural() []int {
	widths := make([]int, len(t.Columns))
	for i, title := range t.titles() {
		widths[i] = Width(title.Text)
	}
	for _, row := range t.rows {
		for i, c := range row {
			widths[i] = max(widths[i], Width(c.Text))
		}
	}
	return widths
}

// shrink takes cells from the widest of the chosen columns until nothing is over
// or all are down to their least, and returns what is still over.
func (t *Table) shrink(widths []int, over int, chosen func(Column) bool) int {
	for ; over > 0; over-- {
		widest := -1
		for i, c := range t.Columns {
			least := cmp.Or(c.Min, leastText)
			if chosen(c) && widths[i] > least && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return over
		}
		widths[widest]--
	}
	return 0
}
