package jsonl

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// What a string has besides plain ASCII.
const (
	hasEscape = 1 << iota
	hasHigh   // bytes over 0x7f
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks with its high bit each byte of w that may end a run of plain
// string bytes: a quote, a backslash, a control character. Above the first
// mark there may be false ones, by borrow; the first is always true.
func special(w uint64) uint64 {
	quote := (w ^ '"'*ones) - ones
	slash := (w ^ '\\'*ones) - ones
	control := w - ' '*ones
	return (quote | slash | control) &^ w & highs
}

// scan skips the string whose first byte, after the quote, is at i. It
// returns the index of the closing quote and what it saw on the way.
func (p *Parser) scan(i int) (end, seen int) {
	b := p.b
	var high uint64
	for {
		for len(b)-i >= 8 {
			w := binary.LittleEndian.Uint64(b[i:])
			if m := special(w); m != 0 {
				n := bits.TrailingZeros64(m)
				high |= w & (1<<n - 1)
				i += n >> 3
				goto found
			}
			high |= w
			i += 8
		}
		for i < len(b) && plain(b[i]) {
			high |= uint64(b[i])
			i++
		}
		if i >= len(b) {
			return p.unexpected(i), 0
		}
	found:
		switch b[i] {
		case '"':
			if high&highs != 0 {
				seen |= hasHigh
			}
			return i, seen
		case '\\':
			seen |= hasEscape
			if i+1 < len(b) && escaped[b[i+1]] != 0 {
				i += 2
			} else if i = p.escape(i + 1); i < 0 {
				return i, 0
			}
		default:
			return p.unexpected(i), 0
		}
	}
}

func plain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

// escaped maps each letter after a backslash to what it stands for.
var escaped = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape skips the part of an escape after the backslash if that is not a single letter.
func (p *Parser) escape(i int) int {
	b := p.b
	if i >= len(b) || b[i] != 'u' {
		return p.unexpected(i)
	}
	for n := 1; n <= 4; n++ {
		if i+n >= len(b) || hexDigit(b[i+n]) < 0 {
			return p.unexpected(i + n)
		}
	}
	return i + 5
}

func hexDigit(c byte) rune {
	switch {
	case c-'0' < 10:
		return rune(c - '0')
	case c|0x20-'a' < 6:
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// literal reports whether the bytes of a string are already its value.
func literal(s []byte, seen int) bool {
	return seen == 0 || seen == hasHigh && utf8.Valid(s)
}

// decode replaces the content of to by the value of a string.
func decode(to, s []byte, seen int) []byte {
	to = unescape(to, s)
	if seen&hasHigh != 0 && !utf8.Valid(to) {
		to = replaceInvalid(to)
	}
	return to
}

// unescape replaces the content of to by s unescaped. The escapes of s are known to
// be valid.
func unescape(to, s []byte) []byte {
	// No escape is shorter than what it stands for, so only the last word
	// written may reach over the length of s.
	to = slices.Grow(to[:0], len(s)+8)[:len(s)+8]
	i, n := 0, 0
	for i < len(s) {
		if len(s)-i >= 8 {
			w := binary.LittleEndian.Uint64(s[i:])
			binary.LittleEndian.PutUint64(to[n:], w)
			x := w ^ '\\'*ones
			m := (x - ones) &^ x & highs
			if m == 0 {
				i += 8
				n += 8
				continue
			}
			k := bits.TrailingZeros64(m) >> 3
			i += k
			n += k
		}
		switch {
		case s[i] != '\\':
			to[n] = s[i]
			i++
			n++
		case s[i+1] != 'u':
			to[n] = escaped[s[i+1]]
			i += 2
			n++
		default:
			r, size := unicodeEscape(s[i:])
			i += size
			n += utf8.EncodeRune(to[n:], r)
		}
	}
	return to[:n]
}

// unicodeEscape returns what the \u escape at the start of s, or the pair of
// them that makes one character, stands for, and its length.
func unicodeEscape(s []byte) (rune, int) {
	r := hex4(s[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(s[8:])); pair != unicode.ReplacementChar {
			return pair, 12
		}
	}
	return unicode.ReplacementChar, 6
}

func hex4(s []byte) rune {
	return hexDigit(s[0])<<12 | hexDigit(s[1])<<8 | hexDigit(s[2])<<4 | hexDigit(s[3])
}

// replaceInvalid returns s with U+FFFD in place of every byte that is not
// UTF-8, as encoding/json has it.
func replaceInvalid(s []byte) []byte {
	to := make([]byte, 0, len(s)+len(s)/2)
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		to = utf8.AppendRune(to, r)
		s = s[n:]
	}
	return to
}
