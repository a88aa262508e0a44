package query

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Verdict is a decision about a line from its raw bytes.
type Verdict int8

// Most lines that contain a needle contain it in a value, which can be decided
// without reading the whole line.
const (
	Undecided Verdict = iota // the line has to be decoded
	Matches
	MatchesNot
)

// Judge decides whether a line matches, with the result that Line has for its
// decoded values: all strings but keys and signatures. The line must be a whole JSON
// object.
func (m *Matcher) Judge(line []byte) Verdict {
	verdict := Matches
	for i := range m.clauses {
		c := &m.clauses[i]
		if c.not {
			return Undecided
		}
		switch c.judge(line) {
		case MatchesNot:
			return MatchesNot
		case Undecided:
			verdict = Undecided
		}
	}
	return verdict
}

func (c *matchClause) judge(line []byte) Verdict {
	verdict := MatchesNot
	for i := range c.atoms {
		switch c.atoms[i].judge(line) {
		case Matches:
			return Matches
		case Undecided:
			verdict = Undecided
		}
	}
	return verdict
}

func (a *matchAtom) judge(line []byte) Verdict {
	switch {
	case !a.decisive:
		return Undecided
	case a.pattern != nil:
		return a.judgePattern(line)
	}
	return a.judgeText(line)
}

// judgeText searches for a match of the text in a value.
func (a *matchAtom) judgeText(line []byte) Verdict {
	verdict := MatchesNot
	raw := &a.raw[0]
	for from := 0; ; {
		s := raw.find(line, from)
		if s.Start < 0 {
			return verdict
		}
		if cutsEscape(line, s.Start) {
			from = s.Start + 1
			continue
		}
		open := opening(line, s.Start)
		if open < 0 {
			return Undecided
		}
		switch stringAt(line, open) {
		case aValue:
			return Matches
		case unclear:
			verdict = Undecided
		}
		from = closing(line, s.End)
	}
}

// judgePattern matches the strings that contain one of the literals.
func (a *matchAtom) judgePattern(line []byte) Verdict {
	verdict := MatchesNot
	var room [maxAlternatives]int
	near := newCursor(a.raw, line, room[:0])
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for from := 0; ; {
		hit := near.next(from)
		if hit < 0 {
			return verdict
		}
		open := opening(line, hit)
		if open < 0 {
			return Undecided
		}
		switch from = closing(line, open+1); stringAt(line, open) {
		case aValue:
			if a.pattern.in(unescaped(buf, line[open+1:from])) {
				return Matches
			}
		case unclear:
			verdict = Undecided
		}
	}
}

// unescaped returns the text of a JSON string, in buf if it differs from the raw
// bytes.
func unescaped(buf *[]byte, raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	out := (*buf)[:0]
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			break
		}
		out = append(out, raw[:i]...)
		r, size := escapeAt(raw, i)
		if r < 0 {
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
		raw = raw[min(i+size, len(raw)):]
	}
	out = append(out, raw...)
	if cap(out) <= maxKept {
		*buf = out
	}
	return out
}

// role says what a string of a line is.
type role int8

const (
	unclear role = iota
	aValue
	aKey
	aSecret // a signature, which is not text
)

// stringAt returns the role of the string that starts at a quote.
func stringAt(line []byte, open int) role {
	before := spaceBefore(line, open)
	if before <= 0 {
		return unclear
	}
	switch line[before-1] {
	case '{':
		return aKey
	case ',':
		behind := closing(line, open+1) + 1
		for behind < len(line) && line[behind] <= ' ' {
			behind++
		}
		if behind < len(line) && line[behind] == ':' {
			return aKey
		}
		return inArray(line, before-1)
	case '[':
		return ofArray(line, before-1)
	case ':':
		return valueOf(line, spaceBefore(line, before-1))
	}
	return unclear
}

// mostSiblings is how many strings of an array are passed to find its key.
const mostSiblings = 1000

// inArray returns the role of a string behind the comma at a position, which is in an
// array: other strings are before it up to its bracket.
func inArray(line []byte, comma int) role {
	for range mostSiblings {
		end := spaceBefore(line, comma)
		if end < 2 || line[end-1] != '"' || endsInEscape(line[:end-1]) {
			return unclear
		}
		open := opening(line, end-1)
		if open < 0 {
			return unclear
		}
		before := spaceBefore(line, open)
		if before <= 0 {
			return unclear
		}
		switch line[before-1] {
		case '[':
			return ofArray(line, before-1)
		case ',':
			comma = before - 1
		default:
			return unclear
		}
	}
	return unclear
}

// ofArray returns the role of the strings of an array that starts at a bracket.
func ofArray(line []byte, bracket int) role {
	before := spaceBefore(line, bracket)
	if before <= 0 || line[before-1] != ':' {
		return unclear
	}
	return valueOf(line, spaceBefore(line, before-1))
}

// valueOf returns the role of the value of the key that ends at end.
func valueOf(line []byte, end int) role {
	if end < 2 || line[end-1] != '"' {
		return unclear
	}
	key := line[opening(line, end-1)+1 : end-1]
	switch string(key) {
	case "signature":
		return aSecret
	case "data", "base64":
		return unclear // encoded bytes are not text
	}
	if bytes.IndexByte(key, '\\') >= 0 {
		return unclear
	}
	return aValue
}

func spaceBefore(line []byte, at int) int {
	for at > 0 && line[at-1] <= ' ' {
		at--
	}
	return at
}

// opening returns the quote that starts the string around a position, or -1.
func opening(line []byte, at int) int {
	for {
		at = lastByte(line[:at], '"')
		if at < 0 || !endsInEscape(line[:at]) {
			return at
		}
	}
}

// closing returns the quote that ends the string around a position, or the end of
// the line.
func closing(line []byte, at int) int {
	for at < len(line) {
		i := bytes.IndexByte(line[at:], '"')
		if i < 0 {
			break
		}
		if at += i; !endsInEscape(line[:at]) {
			return at
		}
		at++
	}
	return len(line)
}

// cutsEscape reports whether at is in the middle of an escape.
func cutsEscape(line []byte, at int) bool {
	const longest = len(`\u1234`)
	i := bytes.LastIndexByte(line[max(0, at-longest+1):at], '\\')
	if i < 0 {
		return false
	}
	i += max(0, at-longest+1)
	if !endsInEscape(line[:i+1]) {
		return false
	}
	return i == at-1 || line[i+1] == 'u'
}

// staysInside reports whether a folded text can only occur inside JSON strings:
// outside there are only punctuation, numbers and three words.
func staysInside(runes []rune) bool {
	last := ' '
	for _, r := range runes {
		if r >= utf8.RuneSelf || !strings.ContainsRune("truefalsn0123456789+-.,:{}[] ", r) {
			return true
		}
		letters := last >= 'a' && last <= 'z' && r >= 'a' && r <= 'z'
		if pair := string(last) + string(r); letters && !strings.Contains("true false null", pair) {
			return true
		}
		last = r
	}
	return false
}
