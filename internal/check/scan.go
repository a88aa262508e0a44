package check

import (
	"bytes"
	"io"

	"sesskeep/internal/jsonl"
)

// piece is a run of bytes of a file: a record, or bytes that are none.
type piece struct {
	raw    []byte // of a record; nil: it is none. Valid until the next call.
	offset int64
	length int64
	line   int  // counting from 1
	code   Code // what is odd about it; empty: nothing
	also   Code // a second oddity that comes with a whole line
	hidden bool // the client does not read it
	known  bool // the scanner's decoder has just read it
}

// scanner gives the pieces of a file one after another.
type scanner struct {
	src   io.ReaderAt
	lines *jsonl.Reader
	dec   decoder
	rec   *record // of the last piece that has one
	queue []piece
	one   [1]piece
	done  bool

	// A record over several lines is put together from lines that are no records.
	held  []piece
	block []byte
	tries int
}

// Limits of joining lines to a record that was split: its bytes, and the number of tries.
const (
	maxBlock = 1 << 20
	maxTries = 256
)

func newScanner(src io.ReaderAt) *scanner {
	return &scanner{src: src, lines: jsonl.NewReader(src, 0, 0)}
}

// err is the error that ended the reading.
func (s *scanner) err() error { return s.lines.Err() }

// next gives the next piece, and with it s.rec, which is nil if it is no record.
func (s *scanner) next() (piece, bool) {
	for len(s.queue) == 0 {
		if s.done {
			return piece{}, false
		}
		s.more()
	}
	p := s.queue[0]
	s.queue = s.queue[1:]
	s.rec = nil
	switch {
	case p.known:
		s.rec = &s.dec.r
	case p.raw != nil:
		s.rec, _ = s.dec.decode(p.raw)
	}
	return p, true
}

// more reads another line.
func (s *scanner) more() {
	s.queue = s.queue[:0]
	if s.lines.Next() {
		s.add(s.lines.Line(), false)
		return
	}
	s.done = true
	if rest, ok := s.lines.Rest(); ok {
		s.add(rest, true)
	}
	s.release()
}

// add splits a line into pieces. Last is set for a line without a line end.
func (s *scanner) add(l jsonl.Line, last bool) {
	var list []piece
	switch {
	case l.Flaws&jsonl.TooLong != 0:
		list = []piece{{offset: l.Offset, length: l.Length, line: l.Number + 1, code: TooLong, hidden: true}}
	case len(l.Bytes) == 0:
		list = []piece{{offset: l.Offset, length: l.Length, line: l.Number + 1, code: NUL, hidden: true}}
	default:
		list = s.parts(l, last)
	}
	if s.join(l, list) {
		return
	}
	s.queue = append(s.queue, list...)
}

// parts parts a line that has something in it.
func (s *scanner) parts(l jsonl.Line, last bool) []piece {
	whole := piece{raw: l.Bytes, offset: l.Offset + int64(l.Skip), length: int64(len(l.Bytes)), line: l.Number + 1}
	behind := l.Flaws&jsonl.NUL != 0 && s.nulBefore(l)
	if _, ok := s.dec.decode(l.Bytes); ok {
		whole.code, whole.also = form(l.Flaws)
		whole.hidden, whole.known = behind, true
		return append(s.one[:0], whole)
	}
	var list []piece
	shared := false // a record, or the start of one, stands before in the line
	for i, p := range jsonl.Salvage(l) {
		one := piece{raw: p.Bytes, offset: p.Offset, length: int64(len(p.Bytes)), line: l.Number + 1, hidden: i > 0 || behind}
		if _, ok := s.dec.decode(p.Bytes); !p.Whole() || !ok {
			one.raw, one.code, one.hidden = nil, brokenCode(p, last), true
		} else if shared {
			one.code = Glued
		}
		shared = shared || one.raw != nil || one.code == Cut
		list = append(list, one)
	}
	if len(list) > 0 && l.Flaws&jsonl.CRLF != 0 {
		list[0].also = CRLF
	}
	return list
}

// nulBefore reports whether NUL bytes stand before what is in a line.
func (s *scanner) nulBefore(l jsonl.Line) bool {
	front := make([]byte, min(l.Skip, 4<<10))
	n, _ := s.src.ReadAt(front, l.Offset) // what was read a moment ago
	return bytes.IndexByte(front[:n], 0) >= 0
}

// form is what is odd about a line that is a whole record.
func form(f jsonl.Flaw) (code, also Code) {
	for _, one := range []struct {
		flaw jsonl.Flaw
		code Code
	}{{jsonl.NUL, NUL}, {jsonl.BOM, BOM}, {jsonl.CRLF, CRLF}, {jsonl.BadUTF8, BadUTF8}} {
		switch {
		case f&one.flaw == 0:
		case code == "":
			code = one.code
		default:
			also = one.code
		}
	}
	return code, also
}

// brokenCode is what is wrong with a piece that is no record.
func brokenCode(p jsonl.Piece, last bool) Code {
	switch {
	case p.Flaw&jsonl.NUL != 0:
		return NUL
	case string(p.Bytes) == "\ufeff":
		return BOM
	case last:
		return Torn
	case p.Flaw&jsonl.Cut != 0:
		return Cut
	}
	return Broken
}

// join puts lines together that are a record only as a whole. It reports whether
// it has taken the line: its pieces come when it is known what they are.
func (s *scanner) join(l jsonl.Line, list []piece) bool {
	begins := len(s.held) == 0 && len(l.Bytes) > 0 && l.Bytes[0] == '{'
	if !begins && len(s.held) == 0 || hasRecord(list) || len(l.Bytes) == 0 || len(s.block)+len(l.Bytes) > maxBlock {
		s.release()
		return false
	}
	for i := range list {
		list[i].raw = nil
	}
	s.held = append(s.held, list...)
	s.block = append(append(s.block, l.Bytes...), '\n')
	if l.Bytes[len(l.Bytes)-1] != '}' || len(s.held) == 1 {
		return true
	}
	if s.tries++; s.tries > maxTries {
		s.release()
		return true
	}
	if _, ok := s.dec.decode(s.block); ok {
		first := s.held[0]
		s.queue = append(s.queue, piece{
			raw: oneLine(s.block), offset: first.offset, line: first.line, code: Spread,
			length: l.Offset + int64(l.Skip) + int64(len(l.Bytes)) - first.offset,
		})
		s.held, s.block, s.tries = nil, nil, 0
	}
	return true
}

func hasRecord(list []piece) bool {
	for i := range list {
		if list[i].raw != nil {
			return true
		}
	}
	return false
}

// release gives out lines that are no record together either.
func (s *scanner) release() {
	s.queue = append(s.queue, s.held...)
	s.held, s.block, s.tries = nil, nil, 0
}
