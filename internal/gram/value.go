package gram

import (
	"bytes"
	"iter"
)

// blobSize is where a string of base64 stops being something to read.
const blobSize = 256

// Tools that print much are written twice on a line, in the message and in
// toolUseResult. Strings of at least longSize are compared with the longSeen last ones.
const (
	longSize = 64
	longSeen = 4
)

// values yields the strings of a line of JSON that can be searched for, as they are
// written: no keys, no signatures and no base64. What a line repeats comes once. It notes
// the keys for Own.
func (f *Builder) values(line []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		f.ids, f.id = 0, nil
		var key []byte
		var long [longSeen][]byte
		colon, n := -1, 0 // the value of key starts behind colon
		for at := 0; ; {
			i := bytes.IndexByte(line[at:], '"')
			if i < 0 {
				return
			}
			start := at + i + 1
			end := closing(line, start)
			text := line[start:end]
			if at = end + 1; at >= len(line) {
				at = len(line)
			}
			if next := space(line, at); next < len(line) && line[next] == ':' {
				key, colon = text, space(line, next+1)
				if at = colon; string(key) == "uuid" {
					f.ids++
				}
				continue
			}
			if colon == start-1 && string(key) == "uuid" {
				f.id = text
			}
			if colon == start-1 && Blob(key, text) {
				continue
			}
			if len(text) >= longSize {
				if repeats(long[:], text) {
					continue
				}
				long[n%longSeen], n = text, n+1
			}
			if !yield(text) {
				return
			}
		}
	}
}

func repeats(seen [][]byte, text []byte) bool {
	for _, s := range seen {
		if bytes.Equal(s, text) {
			return true
		}
	}
	return false
}

// closing is the quote that ends the string which starts at i, or the end of the line.
func closing(line []byte, i int) int {
	for from := i; ; {
		n := bytes.IndexByte(line[from:], '"')
		if n < 0 {
			return len(line)
		}
		end := from + n
		slashes := 0
		for end-slashes > i && line[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end
		}
		from = end + 1
	}
}

func space(line []byte, i int) int {
	for i < len(line) && line[i] <= ' ' {
		i++
	}
	return i
}

// Blob reports whether the value of a key is a signature or encoded bytes: no search finds it.
func Blob(key, text []byte) bool {
	switch string(key) {
	case "signature":
		return true
	case "data", "base64":
		return len(text) >= blobSize && encoded(text)
	}
	return false
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
