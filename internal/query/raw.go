package query

import (
	"unicode/utf16"
	"unicode/utf8"
)

// shortEscape returns the letter that stands for a character after a backslash in
// JSON. A slash may be written either way.
func shortEscape(r rune) (byte, bool) {
	switch r {
	case '"', '\\', '/':
		return byte(r), true
	case '\b':
		return 'b', true
	case '\f':
		return 'f', true
	case '\n':
		return 'n', true
	case '\r':
		return 'r', true
	case '\t':
		return 't', true
	}
	return 0, false
}

func shortUnescape(c byte) rune {
	switch c {
	case '"', '\\', '/':
		return rune(c)
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return -1
}

// hex4 parses four hex digits, or returns -1.
func hex4(b []byte) rune {
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return r
}

// unit parses the \uXXXX at pos, or returns -1.
func unit(b []byte, pos int) rune {
	if pos < 0 || pos+6 > len(b) || b[pos] != '\\' || b[pos+1] != 'u' {
		return -1
	}
	return hex4(b[pos+2:])
}

// escapeAt parses the escape at pos, where a backslash is; a surrogate pair is one
// character. An invalid escape is -1.
func escapeAt(b []byte, pos int) (r rune, size int) {
	if pos+1 >= len(b) {
		return -1, 1
	}
	if b[pos+1] != 'u' {
		return shortUnescape(b[pos+1]), 2
	}
	r = unit(b, pos)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low := unit(b, pos+6); low >= 0 {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return -1, 6
}

// forwardRaw is forward for the inside of a JSON string.
func forwardRaw(b []byte, pos int, text []rune) int {
	for _, want := range text {
		if pos >= len(b) {
			return -1
		}
		r, size := rune(b[pos]), 1
		switch {
		case r == '\\':
			r, size = escapeAt(b, pos)
		case r == '"' || r < 0x20: // the end of the string
			return -1
		case r >= utf8.RuneSelf:
			r, size = utf8.DecodeRune(b[pos:])
		}
		if r < 0 || foldRune(r) != want {
			return -1
		}
		pos += size
	}
	return pos
}

// backwardRaw is backward for the inside of a JSON string.
func backwardRaw(b []byte, pos int, text []rune) int {
	for i := len(text) - 1; i >= 0; i-- {
		size := endsWith(b[:pos], text[i])
		if size == 0 {
			return -1
		}
		pos -= size
	}
	return pos
}

// endsWith returns the length of the folded character want at the end of b, or
// 0. The cheap comparison comes first, because distinguishing an escape from a plain
// character requires counting backslashes.
func endsWith(b []byte, want rune) int {
	n := len(b)
	if n == 0 || b[n-1] < 0x20 {
		return 0
	}
	if b[n-1] >= utf8.RuneSelf {
		if r, size := utf8.DecodeLastRune(b); foldRune(r) == want {
			return size
		}
		return 0
	}
	if r, size := unitBefore(b); size > 0 {
		if foldRune(r) == want {
			return size
		}
		return 0
	}
	if short := shortUnescape(b[n-1]); short == want && n > 1 && endsInEscape(b[:n-1]) {
		return 2
	}
	if rune(lower[b[n-1]]) == want && want != '"' && want != '\\' && !endsInEscape(b[:n-1]) {
		return 1
	}
	return 0
}

// unitBefore parses the \uXXXX, or the pair of them, at the end of b. The size is
// 0 if there is none.
func unitBefore(b []byte) (rune, int) {
	n := len(b)
	r := unit(b, n-6)
	if r < 0 || !endsInEscape(b[:n-5]) {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if pair := utf16.DecodeRune(unit(b, n-12), r); pair != utf8.RuneError {
		return pair, 12
	}
	return utf8.RuneError, 6
}

// endsInEscape reports whether b ends with an odd number of backslashes: the last of
// them starts an escape.
func endsInEscape(b []byte) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
