package view

import "strings"

// TableCells splits a row of a Markdown table at its bars, except for those behind a backslash
// or in code.
func TableCells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	code, from := false, 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == '`':
			code = !code
		case line[i] == '|' && !code:
			cells = append(cells, strings.TrimSpace(line[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(line[from:]); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}
