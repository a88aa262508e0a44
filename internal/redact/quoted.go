package redact

import "strings"

// value is the value of a name.
type value struct {
	span
	text   string
	quoted bool
	line   bool // NAME=value, as in a file of variables
}

// value reads the value that begins at i.
func (s *scan) value(i int, op byte, name string) (value, bool) {
	text := s.text
	if op == '>' {
		end := inTag.span(text, i, 256)
		closed := strings.HasPrefix(text[end:], "<") || strings.HasPrefix(text[end:], escapedLess)
		return value{span{i, end}, text[i:end], true, false}, closed && end > i
	}
	line := op == '=' && text[i-1] == '=' && name == strings.ToUpper(name)
	if v, ok := inQuotes(text, i); ok || i == len(text) {
		v.line = line
		return v, ok
	}
	switch op {
	case ',', '(':
		return value{}, false
	case '%':
		end := plain.span(text, i, maxPlain)
		end = i + codedEnd(text[i:end])
		return value{span{i, end}, text[i:end], true, false}, end > i
	case ':':
		i = blockStart(text, i)
	}
	end := s.plainEnd(i)
	if line {
		end = lineBytes.span(text, i, maxPlain)
	}
	for end > i && (text[end-1] == '.' || text[end-1] == ':') {
		end--
	}
	if end == i {
		return value{}, false
	}
	if end < len(text) && !line && strings.IndexByte("([{<", text[end]) >= 0 {
		return value{}, false // code
	}
	if typed(text, end) {
		return s.value(blank.span(text, strings.IndexByte(text[end:], '=')+end+1, 8), '=', name)
	}
	return value{span{i, end}, text[i:end], false, line}, true
}

// lineBytes are the bytes that a value in a file of variables can have.
var lineBytes = plain.with(",;<>(){}[]&|")

// typed reports whether the text before i is not the value but its type, as in password: string = "…".
func typed(text string, i int) bool {
	n := blank.span(text, i, 4)
	return n > i && n+2 < len(text) && text[n] == '=' && (text[n+1] == ' ' || text[n+1] == '"')
}

// blockStart returns where the text of a YAML value begins that stands on the next line, after
// | or >.
func blockStart(text string, i int) int {
	if i == len(text) || text[i] != '|' && text[i] != '>' {
		return i
	}
	next := i + 1
	if next < len(text) && (text[next] == '-' || text[next] == '+') {
		next++
	}
	from := next
	for next < len(text) && next-from < 80 && (gapBytes[text[next]] || next > from && text[next-1] == '\\' && isEscape(text[next])) {
		next++
	}
	return next
}

// plainEnd is where a value without quotes ends that begins at i.
func (s *scan) plainEnd(i int) int {
	if i < s.run.start || i >= s.run.end {
		s.run = span{i, plain.span(s.text, i, 1<<20)}
	}
	return min(s.run.end, i+maxPlain+1)
}

// inQuotes reads a value in quotes, which can be escaped: \"…\".
func inQuotes(text string, i int) (value, bool) {
	open := i
	for open < len(text) && text[open] == '\\' && open-i < 8 {
		open++
	}
	for open < len(text) && open-i < 2 && (text[open] == 'f' || text[open] == 'b' || text[open] == 'r') {
		open++ // the prefix of a Python string: f"…", rb"…"
	}
	if open == len(text) || text[open] != '"' && text[open] != '\'' && text[open] != '`' {
		return value{}, false
	}
	quote, depth := text[open], strings.Count(text[i:open], `\`)
	if triple := strings.Repeat(text[open:open+1], 3); strings.HasPrefix(text[open:], triple) {
		from := open + 3
		n := strings.Index(text[from:min(len(text), from+maxValue)], triple)
		return value{span{from, from + n}, text[from : from+max(n, 0)], true, false}, n > 0
	}
	from := open + 1
	for end := from; end < len(text) && end-from <= maxValue && text[end] != '\n'; end++ {
		if text[end] != quote {
			continue
		}
		slashes := 0
		for end-slashes > from && text[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes <= depth {
			return value{span{from, end - slashes}, text[from : end-slashes], true, false}, end-slashes > from
		}
	}
	return value{}, false
}
