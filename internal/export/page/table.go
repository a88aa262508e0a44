package page

import (
	"strings"

	"sesskeep/internal/view"
)

// tableRows returns how many lines the table at the start of lines has: a head, a line of
// dashes, and rows. It returns 0 if there is no table.
func tableRows(lines []string) int {
	if len(lines) < 2 || !strings.Contains(lines[0], "|") {
		return 0
	}
	dashes := view.TableCells(lines[1])
	if len(dashes) != len(view.TableCells(lines[0])) || !strings.Contains(lines[1], "-") {
		return 0
	}
	for _, cell := range dashes {
		if strings.Trim(strings.Trim(cell, ":"), "-") != "" || !strings.Contains(cell, "-") {
			return 0
		}
	}
	n := 2
	for n < len(lines) && strings.Contains(lines[n], "|") {
		n++
	}
	return n
}

func table(dst []byte, lines []string, _ int) ([]byte, int) {
	n := tableRows(lines)
	if n == 0 {
		return dst, 0
	}
	columns := len(view.TableCells(lines[0]))
	dst = append(dst, "<table>\n<thead>"...)
	dst = tableRow(dst, "th", lines[0], columns)
	dst = append(dst, "</thead>\n<tbody>\n"...)
	for _, line := range lines[2:n] {
		dst = tableRow(dst, "td", line, columns)
	}
	return append(dst, "</tbody></table>\n"...), n
}

// tableRow appends a row. It keeps cells beyond the columns of the head.
func tableRow(dst []byte, tag, line string, columns int) []byte {
	row := view.TableCells(line)
	for len(row) < columns {
		row = append(row, "")
	}
	dst = append(dst, "<tr>"...)
	for _, cell := range row {
		dst = append(dst, "<"+tag+">"...)
		dst = Inline(dst, cell)
		dst = append(dst, "</"+tag+">"...)
	}
	return append(dst, "</tr>\n"...)
}
