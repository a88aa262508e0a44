package query

import (
	"unicode"
	"unicode/utf8"
)

// AppendFold appends s with every letter replaced by the representative of all its
// cases. Two texts are equal without regard to case exactly if they fold to the same
// bytes, so a filter over folded text can be queried with the pieces of a Needle's
// Folded. Bytes that are not UTF-8 become U+FFFD.
func AppendFold(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			dst = append(dst, lower[c])
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		dst = utf8.AppendRune(dst, foldRune(r))
		i += size
	}
	return dst
}

// lower folds ASCII.
var lower = func() (t [utf8.RuneSelf]byte) {
	for i := range t {
		t[i] = byte(i)
		if i >= 'A' && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()

// foldRune returns the representative of all cases of r: the ASCII small letter if
// there is one (the Kelvin sign is a k), else the first in Unicode.
func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return rune(lower[r])
	case r < rune(len(folded)):
		return rune(folded[r])
	case r >= 0x2E80 && r < 0xA640, r >= 0xAC00 && r < 0xFB00, r >= 0x1F000, r >= 0x2190 && r < 0x2460:
		return r // Chinese, Japanese, Korean, emoji, arrows, boxes: no cases
	}
	return foldOrbit(r)
}

// foldOrbit is foldRune without its table.
func foldOrbit(r rune) rune {
	first := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		first = min(first, f)
	}
	if first < utf8.RuneSelf {
		return rune(lower[first])
	}
	return first
}
