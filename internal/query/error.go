package query

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error says what is wrong with a query, and where.
type Error struct {
	Query   string
	Pos     int // byte offset of what is wrong
	Len     int // its length in bytes; 0 where something is missing
	Message string
	Hint    string // what to write instead; may be empty
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s, at character %d", e.Message, utf8.RuneCountInString(e.Query[:e.Pos])+1)
}

// Pointer returns the query and, on a second line, carets below the error.
func (e *Error) Pointer() string { return pointer(e.Query, e.Pos, e.Len) }

// Hint is advice about a query that is valid but may not be what was meant.
type Hint struct {
	Pos, Len int // in bytes
	Message  string
}

func pointer(query string, pos, length int) string {
	var text, below strings.Builder
	carets := 0
	for i, r := range query {
		if !unicode.IsPrint(r) {
			r = ' '
		}
		text.WriteRune(r)
		switch {
		case unicode.Is(unicode.Mn, r):
		case i >= pos && i < pos+length:
			below.WriteString("^^"[:width(r)])
			carets++
		case i < pos:
			below.WriteString("  "[:width(r)])
		}
	}
	if carets == 0 {
		below.WriteByte('^')
	}
	return text.String() + "\n" + below.String()
}

// width returns roughly how many columns a character takes in a terminal: a caret
// that is one column off does no harm.
func width(r rune) int {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		r >= 0xFF01 && r <= 0xFF60 || r >= 0x1F300 && r < 0x20000 {
		return 2
	}
	return 1
}
