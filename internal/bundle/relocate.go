package bundle

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"sesskeep/internal/jsonl"
)

// Relocate reads a transcript with another working directory: where the records
// name the old one, or one below it, they name the new one. Every other byte stays
// as it is, what is no record too.
func Relocate(r io.ReadCloser, from, to string) io.ReadCloser {
	if from == to || from == "" {
		return r
	}
	return &relocator{src: r, in: bufio.NewReaderSize(r, 64<<10), from: from, to: to}
}

// Relocated opens a transcript with another working directory.
func Relocated(open func() (io.ReadCloser, error), from, to string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		return Relocate(r, from, to), nil
	}
}

type relocator struct {
	src      io.Closer
	in       *bufio.Reader
	from, to string
	p        jsonl.Parser
	line     []byte
	out      []byte // not read yet
	err      error
	long     bool // in the middle of a line that is too long to be a record
}

func (r *relocator) Close() error { return r.src.Close() }

func (r *relocator) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// fill takes the next line, or a part of one that is too long.
func (r *relocator) fill() {
	r.line = r.line[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.line = append(r.line, part...)
		if errors.Is(err, bufio.ErrBufferFull) && len(r.line) <= jsonl.MaxLine && !r.long {
			continue
		}
		whole := !errors.Is(err, bufio.ErrBufferFull)
		if whole {
			r.err = err
		}
		if whole && !r.long {
			r.out = r.moved(r.line)
		} else {
			r.out = r.line
		}
		r.long = !whole
		return
	}
}

// moved is a line with another working directory.
func (r *relocator) moved(line []byte) []byte {
	at, end, dir := -1, 0, ""
	r.p.Reset(line)
	for key := range r.p.Object() {
		if string(key) == "cwd" {
			at = r.p.At()
			dir = r.p.Text()
			end = r.p.At()
		}
	}
	if at < 0 || r.p.End() != nil {
		return line
	}
	rest, ok := strings.CutPrefix(dir, r.from)
	if !ok || rest != "" && rest[0] != '/' && rest[0] != '\\' {
		return line
	}
	value, err := json.Marshal(r.to + rest)
	if err != nil {
		return line
	}
	out := append([]byte{}, line[:at]...)
	out = append(out, value...)
	return append(out, line[end:]...)
}
