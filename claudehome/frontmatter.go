package claudehome

import (
	"slices"
	"strconv"
	"strings"
)

// FrontMatter is what a Markdown file says about itself between two lines of
// "---", in the order it says it.
type FrontMatter []Property

// Property is one key of a front matter.
type Property struct {
	Key   string   // empty for a line that has none
	Value string   // a scalar, or the text as it is written if it is none
	List  []string // the items, if it is a list
}

// Text returns the value of key, or "".
func (m FrontMatter) Text(key string) string {
	return m.property(key).Value
}

func (m FrontMatter) property(key string) Property {
	i := slices.IndexFunc(m, func(p Property) bool { return p.Key == key })
	if i < 0 {
		return Property{}
	}
	return m[i]
}

// ParseFrontMatter splits a Markdown file into its front matter and the rest.
//
// It understands the YAML that people write there: scalars, quotes, lists in
// both forms, block scalars and comments. Deeper structures and invalid lines
// stay text, so a bad line hides no other. A file without front matter,
// or with one that does not end, is all body.
func ParseFrontMatter(text string) (FrontMatter, string) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return nil, text
	}
	var lines []string
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if end := strings.TrimRight(line, " \t"); end == "---" || end == "..." {
			return parseProperties(lines), rest
		}
		if !strings.HasPrefix(line, "#") { // a comment, wherever it stands
			lines = append(lines, line)
		}
	}
	return nil, text
}

func parseProperties(lines []string) FrontMatter {
	var m FrontMatter
	for i := 0; i < len(lines); {
		line := lines[i]
		i++
		if dropComment(strings.TrimSpace(line)) == "" {
			continue
		}
		key, value, ok := cutKey(line)
		if !ok {
			m = append(m, Property{Value: strings.TrimSpace(line)})
			continue
		}
		n := belongs(value, lines[i:])
		p := parseValue(value, lines[i:i+n])
		p.Key = key
		m = append(m, p)
		i += n
	}
	return m
}

// cutKey splits "key: value".
func cutKey(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	if !ok || value != "" && value[0] != ' ' && value[0] != '\t' || indent(line) > 0 {
		return "", "", false
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if plain, ok := unquote(key); ok {
		key = plain
	}
	if strings.HasPrefix(value, "#") {
		value = ""
	}
	return key, value, key != "" && key[0] != '-'
}

// belongs counts the lines that continue a value: the indented ones, a list
// that is not indented under an empty value, and the end of a bracket.
func belongs(value string, lines []string) int {
	for i, line := range lines {
		switch {
		case strings.TrimSpace(line) == "", indent(line) > 0:
		case value == "" && (line == "-" || strings.HasPrefix(line, "- ")):
		case strings.HasPrefix(value, "[") && strings.HasPrefix(line, "]"):
		default:
			return i
		}
	}
	return len(lines)
}

func parseValue(value string, more []string) Property {
	if isBlockHeader(value) {
		return Property{Value: blockScalar(value, more)}
	}
	if value == "" {
		return parseNested(more)
	}
	quoted := value[0] == '"' || value[0] == '\''
	words := []string{value}
	for _, line := range more {
		words = append(words, strings.TrimSpace(line))
	}
	if !quoted {
		for i := range words {
			words[i] = dropComment(words[i])
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	text := strings.Join(words, " ")
	if quoted {
		if plain, ok := unquote(dropComment(text)); ok {
			return Property{Value: plain}
		}
		return Property{Value: text}
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		if inner, ok = strings.CutSuffix(inner, "]"); ok && !strings.ContainsAny(inner, "[]") {
			return Property{Value: text, List: splitList(inner)}
		}
	}
	return Property{Value: text}
}

// parseNested reads what stands below a key without a value: a list, or
// something deeper that stays text.
func parseNested(lines []string) Property {
	lines = dedent(lines)
	if len(lines) == 0 || lines[0] != "-" && !strings.HasPrefix(lines[0], "- ") {
		return Property{Value: strings.Join(lines, "\n")}
	}
	var items [][]string
	for _, line := range lines {
		item, starts := strings.CutPrefix(line, "-")
		starts = starts && (item == "" || item[0] == ' ')
		if starts {
			items = append(items, nil)
		}
		if words := dropComment(strings.TrimSpace(item)); words != "" {
			items[len(items)-1] = append(items[len(items)-1], words)
		}
	}
	list := make([]string, len(items))
	for i, words := range items {
		list[i] = strings.Join(words, " ")
		if plain, ok := unquote(list[i]); ok {
			list[i] = plain
		}
	}
	return Property{Value: strings.Join(list, ", "), List: list}
}

// isBlockHeader reports whether value announces a block scalar, as in ">-".
func isBlockHeader(value string) bool {
	value = dropComment(value)
	return value != "" && (value[0] == '|' || value[0] == '>') &&
		strings.Trim(value[1:], "+-123456789") == ""
}

// blockScalar joins the lines of a block scalar. It drops the line ends after the
// last one in all forms: no caller that shows the text wants them.
func blockScalar(header string, lines []string) string {
	lines = dedent(lines)
	if header[0] == '|' {
		return strings.Join(lines, "\n")
	}
	var b strings.Builder
	for i, line := range lines {
		switch {
		case i == 0:
		case line == "":
			b.WriteByte('\n')
			continue
		case lines[i-1] == "": // the empty line was the line end
		case indent(line) > 0 || indent(lines[i-1]) > 0:
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// dedent takes the indentation of the first line off all of them, and the
// blank lines off both ends.
func dedent(lines []string) []string {
	blank := func(line string) bool { return strings.TrimSpace(line) == "" }
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil
	}
	depth := indent(lines[0])
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(line[min(depth, indent(line)):], " \t")
	}
	return out
}

func indent(line string) int {
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// dropComment cuts a comment off, which starts at a "#" after a blank. In
// quotes there is none.
func dropComment(text string) string {
	if text == "" || text[0] == '#' {
		return ""
	}
	from := 0
	if text[0] == '"' || text[0] == '\'' {
		from = max(strings.LastIndexByte(text, text[0]), 0)
	}
	for i := from + 1; i < len(text); i++ {
		if text[i] == '#' && (text[i-1] == ' ' || text[i-1] == '\t') {
			return strings.TrimRight(text[:i], " \t")
		}
	}
	return text
}

// splitList splits at commas outside of quotes and parentheses.
func splitList(text string) []string {
	items := []string{}
	depth, start, quote := 0, 0, byte(0)
	add := func(item string) {
		item = strings.TrimSpace(item)
		if plain, ok := unquote(item); ok {
			items = append(items, plain)
		} else if item != "" {
			items = append(items, item)
		}
	}
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.TrimSpace(text[start:i]) == "":
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			add(text[start:i])
			start = i + 1
		}
	}
	add(text[start:])
	return items
}

// unquote takes the quotes off a scalar that is wholly inside of them. Escapes
// it does not know stay as they are.
func unquote(text string) (string, bool) {
	if len(text) < 2 || text[0] != text[len(text)-1] {
		return "", false
	}
	inner := text[1 : len(text)-1]
	switch text[0] {
	case '\'':
		pairs := strings.ReplaceAll(inner, "''", "")
		return strings.ReplaceAll(inner, "''", "'"), !strings.Contains(pairs, "'")
	case '"':
		pairs := strings.ReplaceAll(strings.ReplaceAll(inner, `\\`, ""), `\"`, "")
		if plain, err := strconv.Unquote(text); err == nil {
			inner = plain
		}
		return inner, !strings.Contains(pairs, `"`)
	}
	return "", false
}
