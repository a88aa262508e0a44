package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/term"
)

// inline finds the marks inside of a line. They go, also on a screen without
// colours: colours never change the text.
func inline(line string, style term.Style) []run {
	if !strings.ContainsAny(line, "`*_[\\") {
		return []run{{line, style}}
	}
	var p inliner
	p.parse(line, style)
	return p.runs
}

// inliner collects the runs of a line.
type inliner struct{ runs []run }

func (p *inliner) add(text string, style term.Style) {
	if text != "" {
		p.runs = append(p.runs, run{text, style})
	}
}

func (p *inliner) parse(s string, style term.Style) {
	plain := 0 // where the text begins that has no mark
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_[]#|", s[i+1]) >= 0 {
			p.add(s[plain:i], style)
			plain = i + 1
			i += 2
			continue
		}
		m, ok := markAt(s, i)
		if !ok {
			i += max(repeats(s[i:]), 1)
			continue
		}
		p.add(s[plain:i], style)
		if m.code {
			p.add(m.text, style|term.Cyan)
		} else {
			p.parse(m.text, style|m.style)
		}
		if m.link != "" && m.link != m.text {
			p.add(" ("+m.link+")", style|term.Dim)
		}
		i += m.length
		plain = i
	}
	p.add(s[plain:], style)
}

// mark is a marked piece of a line.
type mark struct {
	text   string // inside
	length int    // with its marks
	style  term.Style
	code   bool // nothing inside is a mark
	link   string
}

// markAt finds what is marked from place i on.
func markAt(s string, i int) (mark, bool) {
	switch s[i] {
	case '`':
		return codeAt(s[i:])
	case '*', '_':
		return emphasisAt(s, i)
	case '[':
		return linkAt(s[i:])
	}
	return mark{}, false
}

// repeats is how often s begins with the same mark.
func repeats(s string) int {
	if strings.IndexByte("`*_", s[0]) < 0 {
		return 0
	}
	return len(s) - len(strings.TrimLeft(s, s[:1]))
}

func codeAt(s string) (mark, bool) {
	n := repeats(s)
	for j := n; j < len(s); {
		next := strings.IndexByte(s[j:], '`')
		if next < 0 {
			break
		}
		j += next
		end := repeats(s[j:])
		if end == n {
			text := s[n:j]
			if inner := strings.TrimSpace(text); inner != "" {
				text = inner
			}
			return mark{text: text, length: j + n, code: true}, true
		}
		j += end
	}
	return mark{}, false
}

// emphasisAt finds bold and italic text. An underscore inside of a word is part of
// a name.
func emphasisAt(s string, i int) (mark, bool) {
	m := mark{style: term.Italic}
	n := 1
	if repeats(s[i:]) > 1 {
		n, m.style = 2, term.Bold
	}
	sign := s[i : i+n]
	start := i + n
	if start >= len(s) || s[start] == ' ' || s[i] == '_' && wordBefore(s[:i]) {
		return m, false
	}
	for j := start; ; {
		next := strings.Index(s[j:], sign)
		if next < 0 {
			return m, false
		}
		j += next
		run := repeats(s[j:])
		fits := j > start && s[j-1] != ' ' && (n == 2 || run == 1 || run == 3)
		if fits && run == 3 && n == 2 {
			j++ // the inner mark ends first
		}
		if fits && (sign[0] != '_' || !wordAfter(s[j+n:])) {
			m.text, m.length = s[start:j], j+n-i
			return m, true
		}
		j += run
		if j >= len(s) {
			return m, false
		}
	}
}

func wordBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func wordAfter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func linkAt(s string) (mark, bool) {
	end := strings.IndexByte(s, ']')
	if end < 2 || strings.IndexByte(s[1:end], '[') >= 0 || !strings.HasPrefix(s[end:], "](") {
		return mark{}, false
	}
	link, _, ok := strings.Cut(s[end+2:], ")")
	if !ok || link == "" || strings.Contains(link, " ") {
		return mark{}, false
	}
	return mark{text: s[1:end], length: end + 2 + len(link) + 1, link: link}, true
}
