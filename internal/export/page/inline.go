package page

import (
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text appends text as it is.
func Text(dst []byte, text string) []byte {
	from := 0
	for i := 0; i < len(text); i++ {
		name := ""
		switch text[i] {
		case '<':
			name = "&lt;"
		case '>':
			name = "&gt;"
		case '&':
			name = "&amp;"
		case '"':
			name = "&#34;"
		case '\'':
			name = "&#39;"
		default:
			if text[i] >= ' ' && text[i] != 0x7f || text[i] == '\n' || text[i] == '\t' {
				continue
			}
			name = "\uFFFD" // HTML has no control characters
		}
		dst = append(append(dst, text[from:i]...), name...)
		from = i + 1
	}
	return append(dst, text[from:]...)
}

// Inline appends a text with the markup inside of lines: code, bold, italic, struck out, links.
func Inline(dst []byte, text string) []byte {
	if len(text) > maxParagraph {
		return Text(dst, text)
	}
	s := inline{dst: dst}
	s.write(text, 0)
	return s.dst
}

// inline is a text that is being written.
type inline struct {
	dst    []byte
	linked bool // inside of a link, where no other can stand
}

// write writes a text that lies in depth marks.
func (s *inline) write(text string, depth int) {
	plain := 0 // where text without marks begins
	flush := func(to int) { s.dst = Text(s.dst, html.UnescapeString(text[plain:to])) }
	missing := map[string]bool{} // marks without a closing one in the rest of the text
	for i := 0; i < len(text); {
		n := 0
		before := len(s.dst)
		switch c := text[i]; c {
		case '\\':
			if i+1 < len(text) && isPunct(text[i+1]) {
				flush(i)
				s.dst = Text(s.dst, text[i+1:i+2])
				i += 2
				plain = i
				continue
			}
		case '`', '*', '_', '~', '[', '!', '<', 'h':
			if depth < maxNesting {
				flush(i)
				if n = s.mark(text, i, depth, missing); n == 0 {
					s.dst = s.dst[:before]
				}
			}
		case '\n':
			if i > 0 && text[i-1] == '\\' || strings.HasSuffix(text[:i], "  ") {
				flush(i)
				s.dst = append(s.dst, "<br/>"...)
				n = 1
			}
		}
		if n == 0 {
			i++
			continue
		}
		i += n
		plain = i
	}
	flush(len(text))
}

// mark writes the markup that begins at i and returns its length, or 0 if there is none.
func (s *inline) mark(text string, i, depth int, missing map[string]bool) int {
	rest := text[i:]
	if s.linked && strings.IndexByte("[!<h", rest[0]) >= 0 {
		return 0
	}
	switch rest[0] {
	case '`':
		return s.code(rest, missing)
	case '[':
		return s.link(rest, depth, missing)
	case '!':
		if strings.HasPrefix(rest, "![") {
			if n := s.link(rest[1:], depth, missing); n > 0 {
				return n + 1
			}
		}
		return 0
	case '<':
		return s.autolink(rest)
	case 'h':
		return s.bareLink(text, i)
	}
	return s.emphasis(text, i, depth, missing)
}

// code writes the code between two runs of backquotes of equal length.
func (s *inline) code(rest string, missing map[string]bool) int {
	run := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
	if missing[run] {
		return 0
	}
	for at := len(run); ; {
		next := strings.Index(rest[at:], run)
		if next < 0 {
			missing[run] = true
			return 0
		}
		at += next
		end := at
		for end < len(rest) && rest[end] == '`' {
			end++
		}
		if end-at != len(run) {
			at = end
			continue
		}
		code := strings.ReplaceAll(rest[len(run):at], "\n", " ")
		if len(code) > 2 && code[0] == ' ' && code[len(code)-1] == ' ' && strings.TrimSpace(code) != "" {
			code = code[1 : len(code)-1]
		}
		s.dst = append(s.dst, "<code>"...)
		s.dst = Text(s.dst, code)
		s.dst = append(s.dst, "</code>"...)
		return end
	}
}

// link writes [words](address).
func (s *inline) link(rest string, depth int, missing map[string]bool) int {
	if missing["]("] {
		return 0
	}
	if !strings.Contains(rest, "](") {
		missing["]("] = true
		return 0
	}
	end := closing(rest, '[', ']')
	if end < 0 || !strings.HasPrefix(rest[end:], "](") {
		return 0
	}
	stop := closing(rest[end+1:], '(', ')')
	if stop < 0 {
		return 0
	}
	words, target := rest[1:end], strings.TrimSpace(rest[end+2:end+1+stop])
	address, title, _ := strings.Cut(target, " ")
	address = strings.Trim(address, "<>")
	size := end + 1 + stop + 1
	if !onWeb(address) {
		s.write(words, depth+1)
		if address != words { // readers see where a link leads before they follow it
			s.dst = Text(s.dst, " ("+target+")")
		}
		return size
	}
	s.openLink(address)
	if words == "" {
		words = address
	}
	s.linked = true
	s.write(words, depth+1)
	s.linked = false
	s.dst = append(s.dst, "</a>"...)
	if title = strings.Trim(title, `"' `); title != "" {
		s.dst = Text(s.dst, " ("+title+")")
	}
	return size
}

// maxLink is how far the closing bracket of a link is searched for.
const maxLink = 1024

// closing returns where the bracket at the start of the text is closed, or -1.
func closing(text string, opens, closes byte) int {
	depth := 0
	for i := 0; i < min(len(text), maxLink); i++ {
		switch text[i] {
		case '\\':
			i++
		case opens:
			depth++
		case closes:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// onWeb reports whether an address may be a link. A page from a transcript leads nowhere else.
func onWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http" || u.Scheme == "mailto") && (u.Host != "" || u.Scheme == "mailto")
}

func (s *inline) openLink(address string) {
	s.dst = append(s.dst, `<a rel="noreferrer noopener" href="`...)
	s.dst = Text(s.dst, address)
	s.dst = append(s.dst, `">`...)
}

// autolink writes <https://…>.
func (s *inline) autolink(rest string) int {
	end := strings.IndexAny(rest, "> \n")
	if end < 0 || rest[end] != '>' || !onWeb(rest[1:end]) {
		return 0
	}
	s.openLink(rest[1:end])
	s.dst = Text(s.dst, rest[1:end])
	s.dst = append(s.dst, "</a>"...)
	return end + 1
}

// bareLink writes an address that stands in the text without brackets.
func (s *inline) bareLink(text string, i int) int {
	rest := text[i:]
	if !strings.HasPrefix(rest, "https://") && !strings.HasPrefix(rest, "http://") || i > 0 && isWord(text[:i]) {
		return 0
	}
	end := strings.IndexFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("<>\"`*|", r)
	})
	if end < 0 {
		end = len(rest)
	}
	address := strings.TrimRight(rest[:end], ".,;:!?'_~")
	for strings.HasSuffix(address, ")") && strings.Count(address, ")") > strings.Count(address, "(") {
		address = strings.TrimRight(address[:len(address)-1], ".,;:!?'")
	}
	if !onWeb(address) {
		return 0
	}
	s.openLink(address)
	s.dst = Text(s.dst, address)
	s.dst = append(s.dst, "</a>"...)
	return len(address)
}

// isWord reports whether a text ends with a letter or digit.
func isWord(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// emphasised has the tags for the text between two marks.
var emphasised = map[string][2]string{
	"*": {"<em>", "</em>"}, "_": {"<em>", "</em>"},
	"**": {"<strong>", "</strong>"}, "__": {"<strong>", "</strong>"},
	"***": {"<strong><em>", "</em></strong>"}, "___": {"<strong><em>", "</em></strong>"},
	"~~": {"<del>", "</del>"},
}

// emphasis writes the text between two equal marks.
func (s *inline) emphasis(text string, i, depth int, missing map[string]bool) int {
	rest := text[i:]
	mark := rest[:min(3, len(rest)-len(strings.TrimLeft(rest, rest[:1])))]
	tags, ok := emphasised[mark]
	if !ok {
		return 0
	}
	if missing[mark] || !opens(text, i, mark) {
		return 0
	}
	end := closesAt(text, i, mark)
	if end < 0 {
		missing[mark] = true
		return 0
	}
	s.dst = append(s.dst, tags[0]...)
	s.write(text[i+len(mark):end], depth+1)
	s.dst = append(s.dst, tags[1]...)
	return end + len(mark) - i
}

// opens reports whether a mark at i stands before a word, and not inside of one.
func opens(text string, i int, mark string) bool {
	after, _ := utf8.DecodeRuneInString(text[i+len(mark):])
	if after == utf8.RuneError || unicode.IsSpace(after) || after == rune(mark[0]) {
		return false
	}
	return mark[0] != '_' && mark[0] != '~' || !isWord(text[:i])
}

// closesAt returns where the mark at i is closed, or -1.
func closesAt(text string, i int, mark string) int {
	for at := i + len(mark) + 1; at+len(mark) <= len(text); at++ {
		switch {
		case text[at] == '\\':
			at++
		case text[at] == '`': // marks in code do not count
			if end := strings.IndexByte(text[at+1:], '`'); end > 0 {
				at += end + 1
			}
		case strings.HasPrefix(text[at:], mark) && closesHere(text, at, mark):
			return at
		}
	}
	return -1
}

func closesHere(text string, at int, mark string) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	if unicode.IsSpace(before) {
		return false
	}
	after := text[at+len(mark):]
	if len(mark) == 1 && (strings.HasPrefix(after, mark) || before == rune(mark[0])) {
		return false // a part of a longer one
	}
	r, _ := utf8.DecodeRuneInString(after)
	return mark[0] != '_' || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')
}
