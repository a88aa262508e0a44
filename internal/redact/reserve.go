package redact

import (
	"bytes"
	"errors"
	"io"
	"strconv"
)

// longestMark is how long a mark can be.
const longestMark = 64

// Reserve reads a text that was redacted before. The numbers of its marks are not given to
// other secrets.
func (d *Document) Reserve(r io.Reader) error {
	buffer := make([]byte, longestMark+piece)
	kept := 0
	for {
		n, err := io.ReadFull(r, buffer[kept:])
		d.reserve(buffer[:kept+n])
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
		kept = copy(buffer, buffer[len(buffer)-longestMark:])
	}
}

func (d *Document) reserve(text []byte) {
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], ']')
		if n < 0 {
			return
		}
		i += n
		if family, number, ok := markBefore(text[:i]); ok && number > d.taken[family] {
			if d.taken == nil {
				d.taken = map[string]int{}
			}
			d.taken[family] = number
		}
	}
}

// markBefore reads the mark that a text ends with, but for its bracket.
func markBefore(text []byte) (family string, number int, ok bool) {
	i := len(text)
	for i > 0 && digits[text[i-1]] {
		i--
	}
	if i == len(text) || len(text)-i > 9 || i == 0 || text[i-1] != ':' {
		return "", 0, false
	}
	from := i - 1
	for from > 0 && i-from < longestMark && (isLower(text[from-1]) || text[from-1] == '-') {
		from--
	}
	if from == i-1 || from == 0 || text[from-1] != '[' {
		return "", 0, false
	}
	number, err := strconv.Atoi(string(text[i:]))
	return string(text[from : i-1]), number, err == nil
}
