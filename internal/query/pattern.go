package query

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"
)

// pattern is a regular expression with what is needed to avoid running it.
type pattern struct {
	re       *regexp.Regexp
	ascii    *regexp.Regexp // for lower-case ASCII; nil if there is no such form
	required []string       // one of these texts is in every match; nil: unknown
	literals []finder       // for them
	byLine   bool           // a match lies within one line
}

// newPattern compiles a regular expression; nil if it is invalid.
func newPattern(text string) *pattern {
	re, err := regexp.Compile(regexpFlags + text)
	if err != nil {
		return nil
	}
	p := &pattern{re: re}
	tree, err := parseRegexp(text)
	if err != nil {
		return nil
	}
	p.byLine = withinLines(tree)
	p.required = required(tree)
	for _, s := range p.required {
		p.literals = append(p.literals, newFinder(foldRunes(s), false))
	}
	if lowered(tree) {
		p.ascii, _ = regexp.Compile(tree.String())
	}
	return p
}

// each calls f with the spans of matches, in order, until it returns false.
// most is how many are wanted, -1 for all.
func (p *pattern) each(b []byte, most int, f func(Span) bool) {
	if len(p.literals) == 0 {
		p.run(b, 0, most, f)
		return
	}
	var room [maxAlternatives]int
	near := newCursor(p.literals, b, room[:0])
	for from := 0; ; {
		hit := near.next(from)
		if hit < 0 {
			return
		}
		if !p.byLine {
			p.run(b, 0, most, f)
			return
		}
		start := from + lastByte(b[from:hit], '\n') + 1
		end := len(b)
		if i := bytes.IndexByte(b[hit:], '\n'); i >= 0 {
			end = hit + i
		}
		if !p.run(b[start:end], start, most, f) || end == len(b) {
			return
		}
		from = end + 1
	}
}

// run applies the expression itself to text that starts at offset base.
func (p *pattern) run(b []byte, base, most int, f func(Span) bool) bool {
	re := p.re
	if p.ascii != nil {
		buf := buffers.Get().(*[]byte)
		defer buffers.Put(buf)
		if low, ok := appendLower((*buf)[:0], b); ok {
			if cap(low) <= maxKept {
				*buf = low
			}
			re, b = p.ascii, low
		}
	}
	if most == 1 {
		at := re.FindIndex(b)
		return at == nil || f(Span{base + at[0], base + at[1]})
	}
	for _, at := range re.FindAllIndex(b, most) {
		if !f(Span{base + at[0], base + at[1]}) {
			return false
		}
	}
	return true
}

func (p *pattern) in(b []byte) bool {
	found := false
	p.each(b, 1, func(Span) bool {
		found = true
		return false
	})
	return found
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKept bounds a buffer that is kept for reuse.
const maxKept = 1 << 20

// appendLower returns false for text that is not ASCII.
func appendLower(dst, b []byte) ([]byte, bool) {
	dst = slices.Grow(dst, len(b))[:len(b)]
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return dst, false
		}
		dst[i] = lower[c]
	}
	return dst, true
}
