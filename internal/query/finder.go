package query

import (
	"slices"
	"unicode/utf8"
)

// stride is how much text all probes of a needle search before they continue with
// the next stretch, so that the text is still in the cache for the next probe.
const stride = 4096

// finder finds one text without regard to case, in decoded text or in raw JSON.
type finder struct {
	runes   []rune // folded
	anchor  anchor
	raw     bool
	escapes bool // also match characters written as \u escapes
}

func newFinder(runes []rune, raw bool) finder {
	return finder{runes, chooseAnchor(runes, raw), raw, raw}
}

// printable reports whether no control character is part of the text.
func (f *finder) printable() bool {
	return !slices.ContainsFunc(f.runes, func(r rune) bool { return r < ' ' })
}

// find returns the first match that starts at from or later; Start is -1 if there
// is none.
func (f *finder) find(b []byte, from int) Span {
	for ; from < len(b); from += stride {
		to := min(from+stride, len(b))
		best, bestAt := Span{Start: -1}, len(b)+utf8.UTFMax
		for i := range f.anchor.probes {
			if s, at := f.probe(&f.anchor.probes[i], b, from, min(to, bestAt+utf8.UTFMax)); s.Start >= 0 && at < bestAt {
				best, bestAt = s, at
			}
		}
		if f.escapes {
			if s, at := f.escaped(b, from, min(to, bestAt)); s.Start >= 0 && at < bestAt {
				best = s
			}
		}
		if best.Start >= 0 {
			return best
		}
	}
	return Span{Start: -1}
}

// probe verifies the candidates of one probe, and also returns where the anchor is.
func (f *finder) probe(p *probe, b []byte, from, to int) (Span, int) {
	for q := p.next(b, from, to); q >= 0; q = p.next(b, q+1, to) {
		at := q + p.shift
		if at < 0 {
			continue
		}
		if s := f.verify(b, f.anchor.at, at); s.Start >= 0 {
			return s, at
		}
	}
	return Span{Start: -1}, 0
}

// escaped verifies the candidates in which a character of the anchor is written as
// a \u escape, which no probe finds.
func (f *finder) escaped(b []byte, from, to int) (Span, int) {
	at := f.anchor.at
	for q := nextEscape(b, from, to); q >= 0; q = nextEscape(b, q+1, to) {
		r, _ := escapeAt(b, q)
		r = foldRune(max(r, 0))
		if r == f.runes[at] {
			if s := f.verify(b, at, q); s.Start >= 0 {
				return s, q
			}
		}
		if f.anchor.before && r == f.runes[at-1] {
			if s := f.verify(b, at-1, q); s.Start >= 0 {
				return s, q
			}
		}
	}
	return Span{Start: -1}, 0
}

// verify returns the span of the whole text if its character number at starts at
// pos.
func (f *finder) verify(b []byte, at, pos int) Span {
	var s Span
	if f.raw {
		if s.End = forwardRaw(b, pos, f.runes[at:]); s.End >= 0 {
			s.Start = backwardRaw(b, pos, f.runes[:at])
			return s
		}
	} else if s.End = forward(b, pos, f.runes[at:]); s.End >= 0 {
		s.Start = backward(b, pos, f.runes[:at])
		return s
	}
	return Span{Start: -1}
}

// forward returns the end of the text that starts at pos, or -1.
func forward(b []byte, pos int, text []rune) int {
	for _, want := range text {
		if pos >= len(b) {
			return -1
		}
		if c := b[pos]; c < utf8.RuneSelf {
			if rune(lower[c]) != want {
				return -1
			}
			pos++
			continue
		}
		r, size := utf8.DecodeRune(b[pos:])
		if foldRune(r) != want {
			return -1
		}
		pos += size
	}
	return pos
}

// backward returns the start of the text that ends at pos, or -1.
func backward(b []byte, pos int, text []rune) int {
	for i := len(text) - 1; i >= 0; i-- {
		if pos == 0 {
			return -1
		}
		if c := b[pos-1]; c < utf8.RuneSelf {
			if rune(lower[c]) != text[i] {
				return -1
			}
			pos--
			continue
		}
		r, size := utf8.DecodeLastRune(b[:pos])
		if foldRune(r) != text[i] {
			return -1
		}
		pos -= size
	}
	return pos
}
