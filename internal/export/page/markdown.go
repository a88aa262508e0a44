package page

import (
	"strings"
)

// Markdown appends text that a person or the model wrote, as HTML: headings, lists, tables,
// quotes, code and markup inside of lines. Text that only looks like Markdown stays as it is,
// HTML in it is shown as text, and no word is left out. Links lead to the web only; images
// become links, since a page loads nothing.
func Markdown(dst []byte, text string) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return blocks(dst, strings.Split(text, "\n"), 0, false)
}

const (
	// maxNesting is how deep quotes and lists may lie in each other; deeper ones are text.
	maxNesting = 12
	// maxParagraph is the longest paragraph that is searched for marks. A longer one is data.
	maxParagraph = 64 << 10
)

// blocks appends lines as blocks. tight leaves out the tags of paragraphs, as in list items
// without blank lines between them.
func blocks(dst []byte, lines []string, depth int, tight bool) []byte {
	for i := 0; i < len(lines); {
		n := 0
		for _, block := range [...]func([]byte, []string, int) ([]byte, int){
			blank, fenced, heading, rule, quoted, list, table, indented,
		} {
			if dst, n = block(dst, lines[i:], depth); n > 0 {
				break
			}
		}
		if n == 0 {
			dst, n = paragraph(dst, lines[i:], depth, tight)
		}
		i += n
	}
	return dst
}

// Each of the following functions appends the block that starts at the first line and returns
// how many lines it has, or 0 if the block is of another kind.

func blank(dst []byte, lines []string, _ int) ([]byte, int) {
	if strings.TrimSpace(lines[0]) == "" {
		return dst, 1
	}
	return dst, 0
}

// fence returns the mark that opens a fenced piece of code, the text after the mark (normally
// the language) and the indentation.
func fence(line string) (mark, info string, indent int) {
	rest := strings.TrimLeft(line, " ")
	indent = len(line) - len(rest)
	if indent > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return "", "", 0
	}
	end := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	if end < 3 || rest[0] == '`' && strings.Contains(rest[end:], "`") {
		return "", "", 0
	}
	return rest[:end], strings.TrimSpace(rest[end:]), indent
}

func fenced(dst []byte, lines []string, _ int) ([]byte, int) {
	mark, info, indent := fence(lines[0])
	if mark == "" {
		return dst, 0
	}
	end := 1
	for end < len(lines) && !closes(lines[end], mark) {
		end++
	}
	code := make([]string, 0, end-1)
	for _, line := range lines[1:end] {
		code = append(code, outdent(line, indent))
	}
	if info != "" {
		dst = append(dst, `<p class="lang">`...)
		dst = Text(dst, info)
		dst = append(dst, "</p>"...)
	}
	language, _, _ := strings.Cut(info, " ")
	dst = pre(dst, Language(language), strings.Join(code, "\n"))
	return dst, min(end+1, len(lines))
}

// closes reports whether a line ends a piece of code that mark opened.
func closes(line, mark string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, mark) && strings.Trim(line, mark[:1]) == ""
}

// outdent removes up to n spaces from the start of a line.
func outdent(line string, n int) string {
	for n > 0 && strings.HasPrefix(line, " ") {
		line, n = line[1:], n-1
	}
	return line
}

func heading(dst []byte, lines []string, _ int) ([]byte, int) {
	level, text := headingOf(lines[0])
	if level == 0 {
		return dst, 0
	}
	// Headings of messages lie below those of the page.
	tag := []string{"h4", "h5", "h6"}[min(level, 3)-1]
	dst = append(dst, "<"+tag+">"...)
	dst = Inline(dst, text)
	return append(dst, "</"+tag+">\n"...), 1
}

func headingOf(line string) (level int, text string) {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 {
		return 0, ""
	}
	text = strings.TrimLeft(rest, "#")
	level = len(rest) - len(text)
	if level == 0 || level > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return 0, ""
	}
	text = strings.TrimSpace(text)
	if cut := strings.TrimRight(text, "#"); cut == "" || strings.HasSuffix(cut, " ") {
		text = strings.TrimSpace(cut)
	}
	return level, text
}

func rule(dst []byte, lines []string, _ int) ([]byte, int) {
	if !isRule(lines[0]) {
		return dst, 0
	}
	return append(dst, "<hr/>\n"...), 1
}

func isRule(line string) bool {
	marks := strings.Join(strings.Fields(line), "")
	return len(marks) >= 3 && strings.Contains("*-_", marks[:1]) && strings.Trim(marks, marks[:1]) == "" &&
		indentOf(line) < 4
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func quoted(dst []byte, lines []string, depth int) ([]byte, int) {
	if _, ok := unquote(lines[0]); !ok || depth >= maxNesting {
		return dst, 0
	}
	var inside []string
	n := 0
	for ; n < len(lines); n++ {
		line, ok := unquote(lines[n])
		if !ok && (strings.TrimSpace(lines[n]) == "" || starts(lines[n:])) {
			break
		}
		inside = append(inside, line)
	}
	dst = append(dst, "<blockquote>\n"...)
	dst = blocks(dst, inside, depth+1, false)
	return append(dst, "</blockquote>\n"...), n
}

// unquote removes the mark of a quote. A line without one may continue a paragraph in it.
func unquote(line string) (string, bool) {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || !strings.HasPrefix(rest, ">") {
		return line, false
	}
	return strings.TrimPrefix(rest[1:], " "), true
}

// starts reports whether a block begins at the first line that also ends a paragraph before it.
func starts(lines []string) bool {
	line := lines[0]
	if mark, _, _ := fence(line); mark != "" {
		return true
	}
	if level, _ := headingOf(line); level > 0 || isRule(line) {
		return true
	}
	if _, ok := unquote(line); ok {
		return true
	}
	if m, ok := markerOf(line); ok && m.text != "" && (!m.ordered || m.number == "1") {
		return true
	}
	return tableRows(lines) > 0
}

// marker is the beginning of a list item.
type marker struct {
	ordered bool
	kind    byte   // - * + . )
	number  string // of an ordered item
	width   int    // indentation of the following lines of the item
	text    string // the rest of the line
}

func markerOf(line string) (m marker, ok bool) {
	line = strings.ReplaceAll(line, "\t", "    ")
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits > 9 || indent > 3 || len(rest) <= digits {
		return m, false
	}
	m.kind, m.ordered, m.number = rest[digits], digits > 0, rest[:digits]
	if m.ordered != (m.kind == '.' || m.kind == ')') || !strings.Contains("-*+.)", string(rune(m.kind))) {
		return m, false
	}
	after := rest[digits+1:]
	m.text = strings.TrimLeft(after, " ")
	blanks := len(after) - len(m.text)
	if blanks == 0 && after != "" {
		return m, false
	}
	if m.text == "" || blanks > 4 { // indented code, or an empty first line
		blanks, m.text = 1, strings.TrimPrefix(after, " ")
	}
	m.width = indent + digits + 1 + blanks
	return m, true
}

func list(dst []byte, lines []string, depth int) ([]byte, int) {
	first, ok := markerOf(lines[0])
	if !ok || depth >= maxNesting {
		return dst, 0
	}
	var items [][]string
	loose, n := false, 0
	for n < len(lines) {
		m, ok := markerOf(lines[n])
		if !ok || m.kind != first.kind || isRule(lines[n]) {
			break
		}
		item, used, gap := itemLines(m, lines[n:])
		loose = loose || gap && n+used < len(lines)
		items = append(items, item)
		n += used
	}
	tag, open := "ul", "<ul>\n"
	if first.ordered {
		tag, open = "ol", "<ol>\n"
		if number := strings.TrimLeft(first.number, "0"); number != "1" && number != "" {
			open = `<ol start="` + number + "\">\n"
		}
	}
	dst = append(dst, open...)
	for _, item := range items {
		dst = append(dst, "<li>"...)
		dst = itemText(dst, item, depth, !loose)
		dst = append(dst, "</li>\n"...)
	}
	return append(dst, "</"+tag+">\n"...), n
}

// itemLines returns the lines of an item without its marker and their indentation, how many
// lines it takes, and whether a blank line lies in it or before the next item.
func itemLines(m marker, lines []string) (item []string, used int, gap bool) {
	item = []string{m.text}
	blanks := 0
	for used = 1; used < len(lines); used++ {
		line := strings.ReplaceAll(lines[used], "\t", "    ")
		switch {
		case strings.TrimSpace(line) == "":
			blanks++
			item = append(item, "")
			continue
		case indentOf(line) >= m.width:
			item = append(item, line[m.width:])
		case blanks == 0 && !starts(lines[used:]) && !isMarker(line):
			item = append(item, strings.TrimLeft(line, " ")) // continues the paragraph
		default:
			next, ok := markerOf(line)
			return item[:len(item)-blanks], used, gap || blanks > 0 && ok && next.kind == m.kind
		}
		gap, blanks = gap || blanks > 0, 0
	}
	return item[:len(item)-blanks], used, gap
}

func isMarker(line string) bool {
	_, ok := markerOf(line)
	return ok
}

// itemText appends an item, which can begin with a check box.
func itemText(dst []byte, item []string, depth int, tight bool) []byte {
	if box := strings.ToLower(item[0][:min(4, len(item[0]))]); box == "[ ] " || box == "[x] " {
		sign := map[string]string{"[ ] ": "☐ ", "[x] ": "☑ "}[box]
		dst = append(dst, sign...)
		item = append([]string{item[0][4:]}, item[1:]...)
	}
	return blocks(dst, item, depth+1, tight)
}

// indented appends code that is indented by four spaces.
func indented(dst []byte, lines []string, _ int) ([]byte, int) {
	n := 0
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "\t") {
			break
		}
		n = i + 1
	}
	if n == 0 {
		return dst, 0
	}
	code := make([]string, n)
	for i, line := range lines[:n] {
		code[i] = strings.TrimPrefix(outdent(line, 4), "\t")
	}
	return pre(dst, "", strings.Join(code, "\n")), n
}

func paragraph(dst []byte, lines []string, depth int, tight bool) ([]byte, int) {
	n := 1
	for n < len(lines) && strings.TrimSpace(lines[n]) != "" && !starts(lines[n:]) {
		n++
	}
	text := make([]string, n)
	for i, line := range lines[:n] {
		text[i] = strings.TrimSpace(line)
	}
	if !tight {
		dst = append(dst, "<p>"...)
	}
	dst = Inline(dst, strings.Join(text, "\n"))
	if !tight {
		return append(dst, "</p>\n"...), n
	}
	return append(dst, '\n'), n
}

// pre appends code as a block.
func pre(dst []byte, language, code string) []byte {
	dst = append(dst, "<pre><code>"...)
	dst = Code(dst, language, code)
	return append(dst, "</code></pre>\n"...)
}
