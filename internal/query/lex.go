package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// term is one blank-separated part of a query as it was written. Scanning
// never fails: the parser reports what is wrong with a term, so that a
// half-typed query can still be completed.
type term struct {
	kind     termKind
	not      bool
	pos, end int    // from the dash to just after the last character
	text     string // of a word, phrase or regexp, without marks and escapes
	open     bool   // a quote is not closed
	key      string // as written
	keyPos   int
	values   []item
}

type termKind int

const (
	wordTerm termKind = iota
	phraseTerm
	regexpTerm
	orTerm
	keyTerm
)

// item is one value of a list after a key.
type item struct {
	text     string
	pos, end int // quotes included
	quoted   bool
	open     bool
}

// scan splits a query into its terms.
func scan(s string) []term {
	var terms []term
	for pos := skipSpace(s, 0); pos < len(s); pos = skipSpace(s, pos) {
		t := scanTerm(s, pos)
		terms = append(terms, t)
		pos = t.end
	}
	return terms
}

func skipSpace(s string, pos int) int {
	return pos + len(s[pos:]) - len(strings.TrimLeftFunc(s[pos:], unicode.IsSpace))
}

// spaceAt reports whether a term may end at pos.
func spaceAt(s string, pos int) bool {
	r, _ := utf8.DecodeRuneInString(s[pos:])
	return pos >= len(s) || unicode.IsSpace(r)
}

func wordEnd(s string, pos int) int {
	if i := strings.IndexFunc(s[pos:], unicode.IsSpace); i >= 0 {
		return pos + i
	}
	return len(s)
}

func scanTerm(s string, start int) term {
	t := term{pos: start}
	pos := start
	if s[pos] == '-' && !spaceAt(s, pos+1) && s[pos+1] != '-' {
		t.not = true
		pos++
	}
	if s[pos] == '"' {
		t.kind = phraseTerm
		t.text, t.end, t.open = scanQuoted(s, pos)
		return t
	}
	if end, ok := regexpEnd(s, pos); ok {
		t.kind, t.end, t.text = regexpTerm, end, unescapeSlash(s[pos+1:end-1])
		return t
	}
	if n := keyLen(s[pos:]); n > 0 {
		t.kind, t.key, t.keyPos = keyTerm, s[pos:pos+n], pos
		t.values, t.end = scanValues(s, pos+n+1)
		return t
	}
	t.end = wordEnd(s, pos)
	t.text = s[pos:t.end]
	if t.text == "OR" && !t.not {
		t.kind = orTerm
	}
	return t
}

// scanQuoted reads from an opening quote. A backslash stands for itself unless a
// quote or another backslash follows, so "C:\dir" needs no escaping.
func scanQuoted(s string, pos int) (text string, end int, open bool) {
	var b strings.Builder
	for i := pos + 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), i + 1, false
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), len(s), true
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// regexpEnd reports whether a regular expression starts at pos, and where it
// ends: the first slash without a backslash must be followed by a blank.
func regexpEnd(s string, pos int) (int, bool) {
	if s[pos] != '/' || spaceAt(s, pos+1) {
		return 0, false
	}
	for i := pos + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '/':
			return i + 1, i > pos+1 && spaceAt(s, i+1)
		}
	}
	return 0, false
}

// unescapeSlash removes the backslash of every \/, and escapeSlash restores it.
func unescapeSlash(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] != '/' {
				b.WriteByte('\\')
			}
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func escapeSlash(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			b.WriteByte('\\')
			i++
		case s[i] == '/':
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// keyLen returns the length of the known key at the start of s that is used as one,
// else 0. "file://" and "model::" are text, not filters.
func keyLen(s string) int {
	n := nameLen(s)
	if _, ok := keyOf(s[:n]); !ok {
		return 0
	}
	if rest := s[n:]; !strings.HasPrefix(rest, ":") || textAfterColon(rest[1:]) {
		return 0
	}
	return n
}

func textAfterColon(s string) bool {
	return strings.HasPrefix(s, "//") || strings.HasPrefix(s, ":")
}

// nameLen returns the number of ASCII letters at the start of s.
func nameLen(s string) int {
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return n
}

// scanValues reads a comma list up to the next blank.
func scanValues(s string, pos int) ([]item, int) {
	var items []item
	for {
		it := scanItem(s, pos)
		items = append(items, it)
		if it.end >= len(s) || s[it.end] != ',' {
			return items, it.end
		}
		pos = it.end + 1
	}
}

func scanItem(s string, pos int) item {
	if pos < len(s) && s[pos] == '"' {
		text, end, open := scanQuoted(s, pos)
		return item{text, pos, end, true, open}
	}
	end := wordEnd(s, pos)
	if i := strings.IndexByte(s[pos:end], ','); i >= 0 {
		end = pos + i
	}
	return item{text: s[pos:end], pos: pos, end: end}
}
