package query

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendCanonical appends raw JSON with every escape written as JSON.stringify
// writes it: characters that need no escape are not escaped. Text that is not an
// escape stays unchanged.
func AppendCanonical(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			dst = append(dst, raw[i])
			i++
			continue
		}
		r, size := escapeAt(raw, i)
		if r < 0 {
			size = min(size, len(raw)-i)
			dst = append(dst, raw[i:i+size]...)
		} else {
			dst = appendEscaped(dst, r)
		}
		i += size
	}
	return dst
}

// CanonicalText returns a text as JSON.stringify writes it inside a string.
func CanonicalText(text []byte) []byte {
	out := make([]byte, 0, len(text)+len(text)/16)
	plain := 0 // start of the text that is not yet written
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		out = append(out, text[plain:i]...)
		out = appendEscaped(out, r)
		i += size
		plain = i
	}
	return append(out, text[plain:]...)
}

func appendEscaped(dst []byte, r rune) []byte {
	if c, ok := shortEscape(r); ok && r != '/' {
		return append(dst, '\\', c)
	}
	if r < 0x20 || utf16.IsSurrogate(r) {
		return fmt.Appendf(dst, `\u%04x`, r)
	}
	return utf8.AppendRune(dst, r)
}
