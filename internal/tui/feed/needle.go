package feed

import (
	"slices"
	"strings"
	"time"

	"sesskeep/internal/query"
	"sesskeep/internal/term"
	"sesskeep/internal/view"
)

// Needle is what is looked for in a conversation: a text in any case of letters,
// or what a query asks for. The zero needle is nothing.
type Needle struct {
	Name  string // as people see it
	text  string // in small letters
	query *query.Matcher
}

// TextNeedle looks for a text as it was typed.
func TextNeedle(text string) Needle {
	text = strings.ToLower(strings.TrimSpace(text))
	return Needle{Name: text, text: text}
}

// QueryNeedle looks for the texts of a query, as the search did that had it. A
// query without texts finds sessions, and nothing in them.
func QueryNeedle(text string, now time.Time) Needle {
	q, err := query.Parse(text, now)
	if err != nil || !slices.ContainsFunc(q.Text, func(c query.Clause) bool { return !c.Not }) {
		return Needle{}
	}
	q = query.Q{Text: q.Text}
	return Needle{Name: q.String(), query: q.Matcher()}
}

func (n Needle) None() bool { return n.Name == "" }

// In reports whether a block has it: of a query, all that it asks for.
func (n Needle) In(p *view.Part) bool {
	if n.query != nil {
		return n.query.Line(slices.Values(PartText(p)))
	}
	return n.text != "" && slices.ContainsFunc(PartText(p), func(s string) bool { return strings.Contains(strings.ToLower(s), n.text) })
}

// Line is the first of some drawn lines that has all of it, or else some of it,
// or -1.
func (n Needle) Line(lines []string) int {
	some := -1
	for i, line := range lines {
		plain := Unpainted(line)
		switch {
		case n.query == nil && n.text != "" && strings.Contains(strings.ToLower(plain), n.text):
			return i
		case n.query == nil:
		case n.query.Line(slices.Values([]string{plain})):
			return i
		case some < 0 && len(n.query.Spans(plain, 1)) > 0:
			some = i
		}
	}
	return some
}

// spans are where a text has it.
func (n Needle) spans(text string) []query.Span {
	if n.query != nil {
		return n.query.Spans(text, len(text))
	}
	small := strings.ToLower(text)
	if n.text == "" || len(small) != len(text) {
		return nil
	}
	var list []query.Span
	for from := 0; ; {
		i := strings.Index(small[from:], n.text)
		if i < 0 {
			return list
		}
		list = append(list, query.Span{Start: from + i, End: from + i + len(n.text)})
		from += i + len(n.text)
	}
}

// Mark marks it in a drawn line.
func (n Needle) Mark(sc term.Screen, line string) string {
	if !sc.Color || n.None() {
		return line
	}
	var b strings.Builder
	for line != "" {
		text, rest, colour := line, "", ""
		if i := strings.IndexByte(line, 0x1b); i >= 0 {
			end := i + strings.IndexByte(line[i:], 'm') + 1
			text, colour, rest = line[:i], line[i:end], line[end:]
		}
		at := 0
		for _, s := range n.spans(text) {
			b.WriteString(text[at:s.Start] + sc.Invert(text[s.Start:s.End]))
			at = s.End
		}
		b.WriteString(text[at:] + colour)
		line = rest
	}
	return b.String()
}
