// Package gram finds which blocks of text can contain a string, without reading
// them.
//
// Call [Builder.Add] with every line of a block, and keep the filter. A string
// can be in the block only if the filter has all of the string's [Buckets].
// What occurs is never missing; what is missing may seem to occur.
//
// A filter has a bit for every four bytes in a row that occur in the text,
// letters folded and escapes written as JSON.stringify writes them. Four bytes
// and not three: in 256 KiB of text nearly all common threes occur, so that a
// filter of threes let two thirds of all blocks pass for an identifier that is
// in one of a hundred.
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

// Kind names the rule by which filters are made. Filters of another kind cannot
// be asked.
const Kind = 4

// The measures of a filter.
const (
	Bits = 1 << 16
	Size = Bits / 8 // bytes of an encoded filter
	Len  = 4        // bytes of a gram: shorter strings have no buckets
)

// Filter is the set of the grams of a text. The zero value is that of no text.
type Filter [Bits / 64]uint64

// Merge adds everything that is in o.
func (f *Filter) Merge(o *Filter) {
	for i := range f {
		f[i] |= o[i]
	}
}

// bucket is the bit of four folded bytes.
func bucket(four uint32) uint32 { return four * 0x9E3779B1 >> 16 }

// Builder makes filters, one after another. It has a byte for every bit: setting
// one then needs no look at what is there.
type Builder struct{ seen [Bits]byte }

func (f *Builder) set(i uint32) { f.seen[i] = 1 }

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

// Add takes in a line of JSON, without its signatures and base64.
func (f *Builder) Add(line []byte) {
	for mayHaveBlob(line) {
		from, to := nextBlob(line)
		if from < 0 {
			break
		}
		f.text(line[:from])
		line = line[to:]
	}
	f.text(line)
}

// AddText takes in text that is no JSON, as it would be written inside of a
// string.
func (f *Builder) AddText(text []byte) { f.bytes(query.CanonicalText(text)) }

// text adds raw JSON as it is written, and once more in its canonical form if
// that can be another.
func (f *Builder) text(raw []byte) {
	f.bytes(raw)
	if mayHaveEscape(raw) {
		f.bytes(query.AppendCanonical(nil, raw))
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// equals has the high bit of every byte of w that is c, and perhaps of others
// behind it.
func equals(w uint64, c byte) uint64 {
	w ^= uint64(c) * ones
	return (w - ones) &^ w & highs
}

// mayHaveEscape reports whether there is an escape that can be written in another
// way: \u or \/. Looking for those two takes several times as long, because other
// escapes are everywhere.
func mayHaveEscape(b []byte) bool {
	found := uint64(0)
	for ; len(b) >= 8; b = b[7:] {
		w := binary.LittleEndian.Uint64(b)
		next := w >> 8
		found |= equals(w, '\\') & (equals(next, 'u') | equals(next, '/'))
	}
	return found != 0 || bytes.Contains(b, unicodeEscape) || bytes.Contains(b, slashEscape)
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
		f.set(bucket(uint32(w)))
		f.set(bucket(uint32(w >> 8)))
		f.set(bucket(uint32(w >> 16)))
		f.set(bucket(uint32(w >> 24)))
		f.set(bucket(uint32(w >> 32)))
		b = b[5:]
	}
	for ; len(b) >= Len; b = b[1:] {
		w := uint64(binary.LittleEndian.Uint32(b))
		high |= w
		f.set(bucket(uint32(fold(w))))
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
				f.set(bucket(binary.LittleEndian.Uint32(folded[j:])))
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
