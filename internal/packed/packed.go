// Package packed reads values that were written one after another: numbers in as
// few bytes as they need, and texts after their lengths. They are written with
// [encoding/binary.AppendUvarint] and append.
//
// Callers need not check for an error after every value. A Reader that finds
// unexpected data returns zeros from then on, and reports it at the end.
package packed

import "encoding/binary"

// Reader decodes values in the order they were written. Its zero value has nothing to
// read.
type Reader struct {
	raw []byte
	at  int // of what is next in raw
	bad bool
}

// Read makes a Reader of what was written.
func Read(raw []byte) Reader { return Reader{raw: raw} }

// Number gives the next number.
func (r *Reader) Number() uint64 {
	if r.at < len(r.raw) && r.raw[r.at] < 0x80 { // as most are
		r.at++
		return uint64(r.raw[r.at-1])
	}
	n, size := binary.Uvarint(r.raw[r.at:])
	if size <= 0 {
		r.Fail()
		return 0
	}
	r.at += size
	return n
}

// Signed gives the next number that [encoding/binary.AppendVarint] wrote.
func (r *Reader) Signed() int64 {
	n := r.Number()
	return int64(n>>1) ^ -int64(n&1)
}

// Bytes gives the next n bytes, which are those of what is read.
func (r *Reader) Bytes(n uint64) []byte {
	if n > uint64(len(r.raw)-r.at) {
		r.Fail()
		return nil
	}
	r.at += int(n)
	return r.raw[r.at-int(n) : r.at]
}

// Text gives the next text, which lies behind its length.
func (r *Reader) Text() []byte { return r.Bytes(r.Number()) }

// Left is how many bytes are still to be read.
func (r *Reader) Left() int { return len(r.raw) - r.at }

// More reports whether something is left to be read.
func (r *Reader) More() bool { return r.at < len(r.raw) }

// Fail says that what is read is not what was written, and ends the reading.
func (r *Reader) Fail() { r.bad, r.at = true, len(r.raw) }

// Bad reports whether something was not as it was written.
func (r *Reader) Bad() bool { return r.bad }
