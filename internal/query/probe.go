package query

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// A probe searches for two neighbouring bytes, at eight positions at a time. It
// searches for two because hardly any single byte is rare in transcripts, and a
// loop over words costs the same whatever the text is.
type probe struct {
	first, second         byte
	firstMask, secondMask byte // ignored bits: 0x20 for a letter, 0xFF for any byte
	rare                  bool // the first byte is
	shift                 int  // from the first byte to the start of the anchor character
}

func newProbe(first, firstMask, second, secondMask byte, shift int) probe {
	return probe{first, second, firstMask, secondMask, commonness(first) <= rareRank, shift}
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// next returns the first position in [from, to) of the two bytes, else -1.
func (p *probe) next(b []byte, from, to int) int {
	i := from
	if p.rare {
		var done bool
		if i, done = p.leap(b, from, to); done {
			return i
		}
	}
	f, s := uint64(p.first)*lows, uint64(p.second)*lows
	fm, sm := uint64(p.firstMask)*lows, uint64(p.secondMask)*lows
	for end := min(to, len(b)-32); i < end; i += 32 {
		w := b[i : i+33 : i+33]
		// A byte of such a word is zero where both bytes match.
		w0 := ((word(w, 0) | fm) ^ f) | ((word(w, 1) | sm) ^ s)
		w1 := ((word(w, 8) | fm) ^ f) | ((word(w, 9) | sm) ^ s)
		w2 := ((word(w, 16) | fm) ^ f) | ((word(w, 17) | sm) ^ s)
		w3 := ((word(w, 24) | fm) ^ f) | ((word(w, 25) | sm) ^ s)
		if (zero(w0)|zero(w1)|zero(w2)|zero(w3))&highs != 0 {
			return before(i+firstZero(w0, w1, w2, w3), to)
		}
	}
	for ; i < to; i++ {
		if p.at(b, i) {
			return i
		}
	}
	return -1
}

// nextEscape is next for a backslash and a u, with less work.
func nextEscape(b []byte, from, to int) int {
	const f, s = '\\' * lows, 'u' * lows
	i := from
	for end := min(to, len(b)-32); i < end; i += 32 {
		w := b[i : i+33 : i+33]
		w0 := (word(w, 0) ^ f) | (word(w, 1) ^ s)
		w1 := (word(w, 8) ^ f) | (word(w, 9) ^ s)
		w2 := (word(w, 16) ^ f) | (word(w, 17) ^ s)
		w3 := (word(w, 24) ^ f) | (word(w, 25) ^ s)
		if (zero(w0)|zero(w1)|zero(w2)|zero(w3))&highs != 0 {
			return before(i+firstZero(w0, w1, w2, w3), to)
		}
	}
	for ; i+1 < len(b) && i < to; i++ {
		if b[i] == '\\' && b[i+1] == 'u' {
			return i
		}
	}
	return -1
}

// EscapesPrintable reports whether a printable character is written as a \u escape
// somewhere. Few writers do that; escapes of control characters are everywhere.
func EscapesPrintable(b []byte) bool {
	const control = len(`\u00`)
	for i := nextEscape(b, 0, len(b)); i >= 0; i = nextEscape(b, i+1, len(b)) {
		e := b[i:]
		if len(e) <= control || e[2] != '0' || e[3] != '0' || e[control] > '1' {
			return true
		}
	}
	return false
}

// NextPair returns the first position from from on of two neighbouring bytes, or -1. Of
// two that are rare together it finds the next one in less time than [bytes.Index].
func NextPair(b []byte, first, second byte, from int) int {
	p := probe{first: first, second: second}
	return p.next(b, from, len(b))
}

// lastByte is [bytes.LastIndexByte] for texts that are long: that one looks at a byte at a
// time.
func lastByte(b []byte, c byte) int {
	want := uint64(c) * lows
	n := len(b)
	for ; n >= 16; n -= 16 {
		w := b[n-16 : n : n]
		high, low := word(w, 8)^want, word(w, 0)^want
		if (zero(high)|zero(low))&highs == 0 {
			continue
		}
		if at := lastZero(high); at >= 0 {
			return n - 8 + at
		}
		return n - 16 + lastZero(low)
	}
	for n--; n >= 0 && b[n] != c; n-- {
	}
	return n
}

// lastZero returns the index of the last zero byte, or -1.
func lastZero(w uint64) int {
	const sevens = ^uint64(highs) // the lower bits of each byte
	marks := ^(w&sevens + sevens | w) & highs
	return (63 - bits.LeadingZeros64(marks)) >> 3 // of none: -1
}

func before(at, to int) int {
	if at < to {
		return at
	}
	return -1
}

// zero returns a word in which the high bit of the first zero byte of w is set. Bits
// above it may be set too.
func zero(w uint64) uint64 { return (w - lows) &^ w }

// firstZero returns the index of the first zero byte.
func firstZero(words ...uint64) int {
	for i, w := range words {
		if z := zero(w) & highs; z != 0 {
			return 8*i + bits.TrailingZeros64(z)/8
		}
	}
	return 8 * len(words)
}

// at reports whether the two bytes are at i.
func (p *probe) at(b []byte, i int) bool {
	return b[i]|p.firstMask == p.first && (p.secondMask == 0xFF || i+1 < len(b) && b[i+1]|p.secondMask == p.second)
}

// maxLeaps is how many false candidates leap accepts before it gives up: the byte is
// not rare in this text.
const maxLeaps = 6

// leap searches for the first byte alone, which is faster if that is rare. If done,
// at is the result of next, else the position at which to continue.
func (p *probe) leap(b []byte, from, to int) (at int, done bool) {
	low, high := -1, -1 // next position of the byte, in either case
	for range maxLeaps {
		low = seek(b, p.first, low, from, to)
		high = to
		if p.firstMask != 0 {
			high = seek(b, p.first&^p.firstMask, -1, from, low)
		}
		at := min(low, high) // high is low if there is none before it
		if at == to {
			return -1, true
		}
		if p.at(b, at) {
			return at, true
		}
		from = at + 1
	}
	return from, false
}

// seek returns the next position of c, or to if there is none. It keeps a known
// position that is not passed yet.
func seek(b []byte, c byte, known, from, to int) int {
	if known >= from {
		return known
	}
	if i := bytes.IndexByte(b[from:to], c); i >= 0 {
		return from + i
	}
	return to
}

func word(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// form is one way to write a character: a few bytes. A single letter has a mask for
// its other case.
type form struct {
	bytes string
	mask  byte
}

// forms lists how a folded character can be written, in raw JSON without \u
// escapes, which are searched separately. A control character may have no form in
// raw JSON.
func forms(r rune, raw bool) []form {
	var list []form
	if raw {
		if e, ok := shortEscape(r); ok {
			list = append(list, form{bytes: `\` + string(rune(e))})
		}
		if r < 0x20 || r == '"' || r == '\\' {
			return list
		}
	}
	if r >= 'a' && r <= 'z' {
		list = append(list, form{bytes: string(r), mask: 0x20})
	}
	for f := r; ; {
		if f >= utf8.RuneSelf || !unicode.IsLetter(f) {
			list = append(list, form{bytes: string(f)})
		}
		if f = unicode.SimpleFold(f); f == r {
			return list
		}
	}
}

// anchor is the part of a needle that is searched for: either within the character
// at, or where the one before it and at meet.
type anchor struct {
	at     int
	before bool // the character before is part of it
	probes []probe
}

// chooseAnchor chooses the pair of bytes that needs the fewest probes and is the
// least common. If several are equal it chooses the first: a search for backslashes
// must not go back through them at every one.
func chooseAnchor(runes []rune, raw bool) anchor {
	var best anchor
	bestCost := -1
	consider := func(a anchor) {
		if c := a.cost(); bestCost < 0 || c < bestCost {
			best, bestCost = a, c
		}
	}
	var last []form
	for i, r := range runes {
		these := forms(r, raw)
		if within, ok := probesWithin(these); ok || len(runes) == 1 {
			consider(anchor{at: i, probes: within})
		}
		if i > 0 {
			consider(anchor{at: i, before: true, probes: probesBetween(last, these)})
		}
		last = these
	}
	return best
}

// probesWithin searches for the last two bytes of every form; it returns false if
// one has a single byte, for which a probe would accept any second byte.
func probesWithin(list []form) ([]probe, bool) {
	var probes []probe
	pairs := true
	for _, f := range list {
		n := len(f.bytes)
		if n == 1 {
			pairs = false
			probes = append(probes, newProbe(f.bytes[0], f.mask, 0xFF, 0xFF, 0))
			continue
		}
		probes = append(probes, newProbe(f.bytes[n-2], 0, f.bytes[n-1], 0, 2-n))
	}
	return probes, pairs
}

// probesBetween searches for the last byte of a form of one character with the
// first byte of a form of the next.
func probesBetween(left, right []form) []probe {
	var probes []probe
	seen := map[probe]bool{}
	for _, l := range left {
		for _, r := range right {
			p := newProbe(l.bytes[len(l.bytes)-1], l.mask, r.bytes[0], r.mask, 1)
			if !seen[p] {
				seen[p] = true
				probes = append(probes, p)
			}
		}
	}
	return probes
}

// cost estimates the bytes to read and the false candidates to check.
func (a anchor) cost() int {
	cost := 0
	for _, p := range a.probes {
		cost += 10000 + commonness(p.first)*commonness(p.second)
		if p.rare {
			cost -= 5000
		}
	}
	return cost
}

// common lists the bytes of transcripts, most common first; from v on they are rare
// enough to search for alone.
const common = ` e"taoinrslcd\um:p,hfg-b0y12.w/v_k34568x79j(){}q[]z=;<>'*+`

const rareRank = 30

var commonRank = func() (t [256]byte) {
	for i := range t {
		t[i] = 3
	}
	t[0xFF] = 99 // any byte
	for i, c := range []byte(common) {
		t[c] = byte(4 + len(common) - i)
	}
	return t
}()

func commonness(b byte) int { return int(commonRank[b]) }
