// Package gram finds which blocks of text can contain a string, without reading
// them.
//
// Call [Builder.Add] with every line of a block, and keep the filter. A string
// can be in the block only if the filter has all of the string's [Buckets].
// What occurs is never missing; what is missing may seem to occur.
//
// A filter has a bit for every four bytes in a row that occur in a string of the text,
// letters folded and escapes written as JSON.stringify writes them. Keys, and what stands
// between strings, have none: no search finds them, and they are in every block, so
// that they only fill the filters. Four bytes
// and not three: nearly all common threes occur in any longer text, so that a
// filter of threes lets most blocks pass for an identifier that is in one of a
// hundred.
//
// A line that is longer than a block has several filters, [Builder.Pieces]. A
// string of up to Longest bytes lies in one of its pieces as a whole.
package gram

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/query"
)

// The measures of a filter.
const (
	Bits    = 15872    // two encoded filters fill a page of the index
	Size    = Bits / 8 // bytes of an encoded filter
	Len     = 4        // bytes of a gram: shorter strings have no buckets
	Longest = 256      // bytes of a string that are looked for: of longer ones the first
)

// overlap is how much of a piece is in the one before it too: what takes Longest bytes
// in a filter takes up to six times as many where it is escaped.
const overlap = 6 * Longest

// Filter is the set of the grams of a text. The zero value is that of no text.
type Filter [Bits / 64]uint64

// Merge adds everything that is in o.
func (f *Filter) Merge(o *Filter) {
	for i := range f {
		f[i] |= o[i]
	}
}

// bucket is the bit of four folded bytes.
func bucket(four uint32) uint32 { return uint32(uint64(four*0x9E3779B1) * Bits >> 32) }

// Builder makes filters, one after another. It has a byte for every bit: setting
// one then needs no look at what is there.
type Builder struct {
	seen    [Bits]byte
	escapes bool
	ids     int    // keys "uuid" in the line that was added last
	id      []byte // the string that the last of them has, as it is written
}

// Own reports whether the line that was added last has no key "uuid", at any depth, but the
// one whose value is id, written without escapes. Who looks for that need not find
// out how deep a key lies.
func (f *Builder) Own(id string) bool {
	return f.ids == 0 && id == "" || f.ids == 1 && string(f.id) == id
}

// Escapes reports whether a line since the last call wrote a printable character as a \u
// escape. Hardly any line does, and who reads the others need not look for them.
func (f *Builder) Escapes() bool {
	escapes := f.escapes
	f.escapes = false
	return escapes
}

func (f *Builder) set(four uint32) { f.seen[bucket(four)] = 1 }

// Filter gives what was added, and starts over.
func (f *Builder) Filter() (out Filter) {
	for i := range out {
		for j := range 8 {
			bytes := binary.LittleEndian.Uint64(f.seen[i*64+j*8:])
			out[i] |= bytes * 0x0102040810204080 >> 56 << (8 * j) // their lowest bits, side by side
		}
	}
	clear(f.seen[:])
	return out
}

// Add takes in the strings of a line of JSON, without its keys, signatures and base64.
func (f *Builder) Add(line []byte) {
	for text := range f.values(line) {
		f.text(text)
	}
}

// Pieces gives the filters of a long line of JSON, one for every size bytes of it.
func (f *Builder) Pieces(line []byte, size int) (list []Filter) {
	room := size
	for text := range f.values(line) {
		for len(text) > 0 {
			n := cut(text, room)
			f.text(text[:min(n+overlap, len(text))])
			if text, room = text[n:], room-n; room <= 0 {
				list, room = append(list, f.Filter()), size
			}
		}
	}
	if room < size || len(list) == 0 {
		list = append(list, f.Filter())
	}
	return list
}

// TextPieces are Pieces of text that is no JSON, as it would be written inside of a
// string.
func (f *Builder) TextPieces(text []byte, size int) (list []Filter) {
	for len(text) > 0 {
		n := min(size, len(text))
		f.bytes(query.CanonicalText(text[:min(n+overlap, len(text))]))
		list, text = append(list, f.Filter()), text[n:]
	}
	return list
}

// cut is where a piece of at least size bytes ends: not between a backslash and what it
// escapes, because the next piece would begin with something else.
func cut(text []byte, size int) int {
	n := min(size, len(text))
	for n < len(text) && text[n-1] == '\\' {
		n++
	}
	return n
}

// text adds raw JSON as it is written, and also in its canonical form if that may
// differ.
func (f *Builder) text(raw []byte) {
	f.bytes(raw)
	if i := bytes.IndexByte(raw, '\\'); i >= 0 && mayHaveEscape(raw[i:]) {
		f.escapes = f.escapes || query.EscapesPrintable(raw)
		f.bytes(query.AppendCanonical(nil, raw))
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// mayHaveEscape reports whether there is an escape that can be written in another
// way: \u or \/. Looking for those two takes several times as long, because other
// escapes are everywhere.
func mayHaveEscape(b []byte) bool {
	found := uint64(0)
	for ; len(b) >= 8; b = b[7:] {
		w := binary.LittleEndian.Uint64(b)
		slash, next := w^'\\'*ones, w>>8
		u, solidus := slash|(next^'u'*ones), slash|(next^'/'*ones) // a byte of either is zero
		found |= (u-ones)&^u | (solidus-ones)&^solidus
	}
	return found&highs != 0 || bytes.Contains(b, unicodeEscape) || bytes.Contains(b, slashEscape)
}

var (
	unicodeEscape = []byte(`\u`)
	slashEscape   = []byte(`\/`)
)

// bytes sets the bits of b. Reading eight bytes at a time and folding them
// together keeps the steps apart from each other, so that they can overlap.
func (f *Builder) bytes(b []byte) {
	text, high := b, uint64(0)
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		high |= w
		w = fold(w)
		f.set(uint32(w))
		f.set(uint32(w >> 8))
		f.set(uint32(w >> 16))
		f.set(uint32(w >> 24))
		f.set(uint32(w >> 32))
		b = b[5:]
	}
	for ; len(b) >= Len; b = b[1:] {
		w := uint64(binary.LittleEndian.Uint32(b))
		high |= w
		f.set(uint32(fold(w)))
	}
	if high&highs != 0 {
		f.letters(text)
	}
}

// letters adds the folded form of letters beyond ASCII that have a case, with
// what stands around them.
func (f *Builder) letters(text []byte) {
	const around = Len * utf8.UTFMax
	var folded []byte
	for i := 0; i < len(text); {
		if i+8 <= len(text) && binary.LittleEndian.Uint64(text[i:])&highs == 0 {
			i += 8
			continue
		}
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !caseless(r) && unicode.SimpleFold(r) != r {
			from, to := max(0, i-around), min(len(text), i+size+around)
			folded = query.AppendFold(folded[:0], string(text[from:to]))
			for j := 0; j+Len <= len(folded); j++ {
				f.set(binary.LittleEndian.Uint32(folded[j:]))
			}
		}
		i += size
	}
}

// caseless reports whether a character is one of the many without a case that are
// quick to recognise: arrows, boxes and signs, and the scripts of East Asia.
func caseless(r rune) bool {
	return 0x2190 <= r && r < 0x2460 || 0x2500 <= r && r < 0x2C00 || 0x2E80 <= r && r < 0xA640 || 0xAC00 <= r && r < 0xFB00
}

// fold makes small letters of the ASCII capitals among eight bytes.
func fold(w uint64) uint64 {
	low := w & (0x7F * ones)
	// The high bit of a byte of capital is set if it is from A to Z.
	capital := (low + (0x80-'A')*ones) &^ (low + (0x80-'Z'-1)*ones) &^ w & highs
	return w | capital>>2
}

// Buckets are the bits that a block has if it holds the text, which is folded
// by [query.AppendFold]. A text that is too short has none: then every block
// can hold it.
func Buckets(folded []byte) []uint32 {
	text := query.CanonicalText(folded)
	text = text[:min(len(text), Longest)]
	var list []uint32
	for i := 0; i+Len <= len(text); i++ {
		list = append(list, bucket(binary.LittleEndian.Uint32(text[i:])))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// AppendTo appends the encoded filter, Size bytes.
func (f *Filter) AppendTo(dst []byte) []byte {
	for _, w := range f {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// Decode reads an encoded filter.
func Decode(raw []byte) (f Filter, err error) {
	if len(raw) != Size {
		return f, fmt.Errorf("a filter of %d bytes, want %d", len(raw), Size)
	}
	for i := range f {
		f[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	return f, nil
}

// Has reports whether an encoded filter has all of the buckets.
func Has(raw []byte, buckets []uint32) bool {
	for _, b := range buckets {
		if int(b/8) >= len(raw) || raw[b/8]&(1<<(b%8)) == 0 {
			return false
		}
	}
	return true
}
