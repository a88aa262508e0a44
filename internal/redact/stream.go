package redact

import (
	"errors"
	"io"
	"strings"
)

const (
	// piece is how much of a stream is read at a time.
	piece = 256 << 10
	// hold is how much of the end of a piece waits for the next one: a secret that begins
	// before it ends in this piece, and so does one that overlaps it.
	hold = 2 * maxSecret
)

// Copy copies from r to w with marks in the place of secrets, in little memory. It finds the
// same secrets as Text, however r cuts the text.
func (d *Document) Copy(w io.Writer, r io.Reader) error {
	d.lines = 0
	var read []byte
	from := 0 // where the text begins that was read and not written yet
	for last := false; !last; {
		err := fill(r, &read)
		if last = errors.Is(err, io.EOF); err != nil && !last {
			return err
		}
		text, to := string(read), len(read)
		if !last {
			to = max(from, to-hold)
		}
		var b strings.Builder
		end := d.replace(&b, text, from, d.find(text, from, to, nil))
		if end < to {
			b.WriteString(text[end:to])
			d.lines += strings.Count(text[end:to], "\n")
			end = to
		}
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
		context := max(0, end-maxContext)
		read, from = append(read[:0], text[context:]...), end-context
	}
	return nil
}

// Line returns the number of the line, from 1, in which the secret begins that Copy found last:
// what OnMatch needs to say where it is.
func (d *Document) Line() int { return d.lines + 1 }

// fill appends one more piece. At the end of the stream it returns io.EOF with the last bytes.
func fill(r io.Reader, into *[]byte) error {
	used := len(*into)
	more := append(*into, make([]byte, piece)...)
	n, err := io.ReadFull(r, more[used:])
	*into = more[:used+n]
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return err
}
