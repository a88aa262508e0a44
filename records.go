package sesskeep

import (
	"io"

	"sesskeep/internal/jsonl"
)

// records reads the whole entries of a file one after another and reports what
// is damaged between them.
type records struct {
	lines    jsonl.Reader
	dec      decoder
	file     string
	problem  func(Problem)
	only     []byte  // lines without it are passed over; nil: none
	entry    Entry   // given out last
	found    []Entry // salvaged from the current line, not yet given out
	reported jsonl.Flaw
	given    appended // is used instead of decoding
	used     []Entry  // of those
}

// oncePerFile are flaws that harm nothing and come on every line or none.
const oncePerFile = jsonl.CRLF | jsonl.BOM

// reset starts on another file, keeping the buffers.
func (r *records) reset(file string, f io.ReaderAt, offset int64, number int) {
	r.lines.Reset(f, offset, number)
	r.file, r.found, r.reported, r.only = file, nil, 0, nil
	r.given, r.used = appended{}, nil
}

// next gives the next entry. Its bytes are good until the next call.
func (r *records) next() (*Entry, bool) {
	for {
		if len(r.found) > 0 {
			e := &r.found[0]
			r.found = r.found[1:]
			return e, true
		}
		if !r.lines.Next() {
			return nil, false
		}
		if e, ok := r.line(r.lines.Line()); ok {
			return e, true
		}
	}
}

// rest gives what stands after the last line end, if it is a whole entry: a
// file can lack its last newline. Otherwise the line is still being written.
func (r *records) rest() (*Entry, bool) {
	l, ok := r.lines.Rest()
	if !ok {
		return nil, false
	}
	if err := r.dec.into(&r.entry, l.Bytes); err == nil {
		r.entry.setPosition(l.Offset+int64(l.Skip), l.Number)
		return &r.entry, true
	}
	r.report(l, jsonl.Torn, l.Offset, l.Length, true)
	return nil, false
}

func (r *records) line(l jsonl.Line) (*Entry, bool) {
	if l.Flaws != 0 {
		r.flaws(l)
	}
	if len(l.Bytes) == 0 || r.passes(l.Bytes) {
		return nil, false
	}
	if e, ok := r.given.entry(l); ok {
		e.setPosition(l.Offset+int64(l.Skip), l.Number)
		r.used = append(r.used, *e)
		return &r.used[len(r.used)-1], true
	}
	if err := r.dec.into(&r.entry, l.Bytes); err != nil {
		r.salvage(l)
		return nil, false
	}
	r.entry.setPosition(l.Offset+int64(l.Skip), l.Number)
	return &r.entry, true
}

func (e *Entry) setPosition(offset int64, number int) {
	e.Offset, e.Line = offset, number+1
}

// flaws reports what is unusual about a line that may be whole all the same.
func (r *records) flaws(l jsonl.Line) {
	for flaw := jsonl.Flaw(1); flaw <= l.Flaws; flaw <<= 1 {
		if l.Flaws&flaw == 0 || r.reported&flaw != 0 {
			continue
		}
		r.reported |= flaw & oncePerFile
		r.report(l, flaw, l.Offset, l.Length, flaw == jsonl.TooLong)
	}
}

// salvage takes the whole records out of a damaged line.
func (r *records) salvage(l jsonl.Line) {
	r.found = r.found[:0]
	for _, piece := range jsonl.Salvage(l) {
		if piece.Whole() {
			if e, err := r.dec.entry(piece.Bytes); err == nil {
				e.setPosition(piece.Offset, l.Number)
				r.found = append(r.found, e)
				if piece.Flaw != 0 {
					r.report(l, piece.Flaw, piece.Offset, int64(len(piece.Bytes)), false)
				}
				continue
			}
		}
		r.report(l, piece.Flaw, piece.Offset, int64(len(piece.Bytes)), true)
	}
}

func (r *records) report(l jsonl.Line, flaw jsonl.Flaw, offset, length int64, lost bool) {
	if flaw == 0 {
		flaw = jsonl.NotJSON // whole JSON, but no record
	}
	code := ProblemForm
	switch {
	case flaw&jsonl.Torn != 0:
		code = ProblemUnfinished
	case lost:
		code = ProblemBroken
	}
	r.problem(Problem{
		Code: code, File: r.file, Line: l.Number + 1, Offset: offset, Length: length,
		Reason: flaw.String(), Lost: lost,
	})
}

// DecodeLine returns the entries of a line of a file, at offset: normally one,
// several if records were glued together, none if nothing is whole. Each keeps
// its own part of the line as Raw.
func DecodeLine(line []byte, offset int64) []Entry {
	if e, err := Decode(line); err == nil {
		e.Offset = offset
		return []Entry{e}
	}
	var list []Entry
	for _, piece := range jsonl.Salvage(jsonl.NewLine(line, offset)) {
		if e, err := Decode(piece.Bytes); err == nil {
			e.Offset = piece.Offset
			list = append(list, e)
		}
	}
	return list
}
