package gram

import "bytes"

// Either is in every line that has something to leave out. They start with a
// letter, because quotes are everywhere and would be tried in vain.
var (
	signatureKey = []byte(`signature":"`)
	base64Word   = []byte(`base64"`)
)

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
