package gram

import "bytes"

// blobKeys begin values that are left out.
var blobKeys = [][]byte{[]byte(`"signature":"`), []byte(`"data":"`), []byte(`"base64":"`)}

// blobSize is where a value after such a key is taken for encoded bytes.
const blobSize = 256

// mayHaveBlob reports whether a line can have something to leave out. Looking at
// a few places is enough: a value that is left out has one of them in it, with as
// much behind it as no word has.
func mayHaveBlob(line []byte) bool {
	const step, long = blobSize / 2, blobSize / 4
	for at := 0; at+long <= len(line); at += step {
		if encoded(line[at : at+long]) {
			return true
		}
	}
	return false
}

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
		if !base64Bytes[c] {
			return false
		}
	}
	return true
}

var base64Bytes = func() (set [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_") {
		set[c] = true
	}
	return set
}()
