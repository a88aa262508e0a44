package index

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"sesskeep/internal/query"
)

// A filter tells which parts of files can hold a string: a bit for every three
// bytes in a row that occur, ASCII letters folded. What occurs is never missing;
// what is missing may seem to occur.
const (
	filterBits = 1 << 16
	filterSize = filterBits / 8
	blockSize  = 256 << 10 // bytes a filter covers
)

type filter [filterBits / 64]uint64

func (f *filter) set(i uint32) { f[i>>6] |= 1 << (i & 63) }

func (f *filter) merge(o *filter) {
	for i := range f {
		f[i] |= o[i]
	}
}

// bucket is the bit of three folded bytes.
func bucket(three uint32) uint32 { return three * 0x9E3779B1 >> 16 }

// add takes in the bytes of a line, without its signatures and base64.
func (f *filter) add(line []byte) {
	if !bytes.Contains(line, signatureKey) && (len(line) < blobSize || !bytes.Contains(line, base64Word)) {
		f.bytes(line)
		return
	}
	for {
		from, to := nextBlob(line)
		if from < 0 {
			f.bytes(line)
			return
		}
		f.bytes(line[:from])
		line = line[to:]
	}
}

// Either is in every line that has something to leave out. They start with a
// letter, because quotes are everywhere and would be tried in vain.
var (
	signatureKey = []byte(`signature":"`)
	base64Word   = []byte(`base64"`)
)

// bytes sets the bits of b. Reading four bytes at a time and folding them
// together keeps the steps apart from each other, so that they can overlap.
func (f *filter) bytes(b []byte) {
	line, high := b, uint64(0)
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		high |= w
		w = smallLetters(w)
		f.set(bucket(uint32(w) & 0xFFFFFF))
		f.set(bucket(uint32(w>>8) & 0xFFFFFF))
		f.set(bucket(uint32(w>>16) & 0xFFFFFF))
		f.set(bucket(uint32(w>>24) & 0xFFFFFF))
		f.set(bucket(uint32(w>>32) & 0xFFFFFF))
		f.set(bucket(uint32(w >> 40)))
		b = b[6:]
	}
	for ; len(b) >= 3; b = b[1:] {
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16
		high |= w
		f.set(bucket(uint32(smallLetters(w))))
	}
	if high&0x8080808080808080 != 0 {
		f.letters(line)
	}
}

// letters adds the folded form of letters beyond ASCII that have a case, with
// what stands around them.
func (f *filter) letters(line []byte) {
	const around = 3 * utf8.UTFMax
	var folded []byte
	for i := 0; i < len(line); {
		if line[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(line[i:])
		if unicode.SimpleFold(r) != r {
			from, to := max(0, i-around), min(len(line), i+size+around)
			folded = query.AppendFold(folded[:0], string(line[from:to]))
			for j := 0; j+3 <= len(folded); j++ {
				f.set(bucket(uint32(folded[j]) | uint32(folded[j+1])<<8 | uint32(folded[j+2])<<16))
			}
		}
		i += size
	}
}

// smallLetters makes small letters of the ASCII capitals among eight bytes.
func smallLetters(w uint64) uint64 {
	const ones = 0x0101010101010101
	low := w & (0x7F * ones)
	// The high bit of a byte of capital is set if it is from A to Z.
	capital := (low + (0x80-'A')*ones) &^ (low + (0x80-'Z'-1)*ones) &^ w & (0x80 * ones)
	return w | capital>>2
}

// blobKeys begin values that are left out.
var blobKeys = [][]byte{[]byte(`"signature":"`), []byte(`"data":"`), []byte(`"base64":"`)}

// blobSize is where a value after such a key is taken for encoded bytes.
const blobSize = 256

// nextBlob finds the next value to leave out: where it starts and ends, or -1.
func nextBlob(line []byte) (from, to int) {
	from = -1
	for _, key := range blobKeys {
		at := 0
		for {
			i := bytes.Index(line[at:], key)
			if i < 0 || from >= 0 && at+i >= from {
				break
			}
			start := at + i + len(key)
			end := bytes.IndexByte(line[start:], '"')
			if end >= blobSize && encoded(line[start:start+end]) {
				from, to = start, start+end
				break
			}
			at = start
		}
	}
	return from, to
}

func encoded(b []byte) bool {
	for _, c := range b {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '+', c == '/', c == '=', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}
