package jsonl

import "bytes"

// Piece is a part of a line that is not JSON.
type Piece struct {
	Bytes  []byte // aliases the line
	Offset int64  // where they start in the file
	Flaw   Flaw   // 0 or Glued for a whole record, else Cut, NUL or NotJSON
}

// Whole reports whether the piece is a record: one JSON object, readable as if it
// had a line of its own.
func (p Piece) Whole() bool { return p.Flaw&^Glued == 0 }

const (
	// effort bounds the time for a line: the bytes parsed are at most this many
	// times those of the line, and one more time at the end. A record costs its
	// length once, its inner objects twice more, and the objects left open where
	// it was cut off once each; tool schemas are seen to nest fourteen deep.
	effort = 32

	// maxBad bounds what hostile lines cost the caller: further bad pieces in a
	// row become one.
	maxBad = 1000
)

// Salvage finds the whole records in a line that is not JSON: records glued
// together, a record cut off by the next one, records with NULs between them.
// The pieces are in order and leave out only white space. Nothing that is a
// value inside a readable record is ever made a record of its own.
func Salvage(l Line) []Piece {
	s := salvager{b: l.Bytes, budget: effort * len(l.Bytes)}
	for i := 0; i < len(s.b); {
		// No record spans a NUL, so what is between NULs stands for itself.
		if s.b[i] == 0 {
			end := i + 1
			for end < len(s.b) && s.b[end] == 0 {
				end++
			}
			s.add(i, end, NUL)
			i = end
			continue
		}
		end := len(s.b)
		if n := bytes.IndexByte(s.b[i:], 0); n >= 0 {
			end = i + n
		}
		s.segment(i, end)
		i = end
	}
	for i := range s.pieces {
		p := &s.pieces[i]
		p.Offset += l.Offset + int64(l.Skip)
		if s.records > 1 && p.Flaw == 0 {
			p.Flaw = Glued
		}
	}
	if len(s.pieces) == 0 && l.Flaws&NUL != 0 {
		return []Piece{{Bytes: l.Bytes, Offset: l.Offset, Flaw: NUL}}
	}
	return s.pieces
}

type salvager struct {
	b       []byte
	budget  int // bytes that may still be parsed
	pieces  []Piece
	records int // whole or cut
	bad     int // pieces that are not whole
	p       Parser
}

// segment salvages b[i:end].
func (s *salvager) segment(i, end int) {
	for i = space(s.b[:end], i); i < end; i = space(s.b[:end], i) {
		stop, ok := s.object(i, end)
		if ok {
			s.add(i, stop, 0)
			i = stop
			continue
		}
		next := s.restart(i, stop, end)
		flaw := NotJSON
		if s.b[i] == '{' && (next < end || stop == end) {
			flaw = Cut
		}
		s.add(i, next, flaw)
		i = next
	}
}

// restart returns where the record after the broken one at i starts, or end.
// stop is where reading the broken one stopped.
//
// A record cut off anywhere but before a value breaks where the next one
// starts, or, if the cut is in a string, behind the quote of its first key.
// There a known first key is enough, and a second cut is found in turn.
// Elsewhere an object is most likely a value inside the broken record, so it
// has to be whole and look like a record.
func (s *salvager) restart(i, stop, end int) int {
	for r := s.candidate(i+1, end); r < end; r = s.candidate(r, end) {
		if r == stop || r == stop-len(`{"`) {
			return r
		}
		at, ok := s.object(r, end)
		if s.budget < 0 {
			return end
		}
		if !ok {
			stop = max(stop, at)
			r++
			continue
		}
		if !nested(s.b, i, r) || s.isRecord(r, at) {
			return r
		}
		r = at
	}
	return end
}

// object parses the object at i. It returns where it ends, or where reading it
// stopped.
func (s *salvager) object(i, end int) (stop int, ok bool) {
	if s.b[i] != '{' || s.budget < 0 {
		return i, false
	}
	s.p.Reset(s.b[i:end])
	s.p.Skip()
	if s.p.why != "" {
		s.budget -= s.p.at + 1
		return i + s.p.at, false
	}
	s.budget -= s.p.i
	return i + s.p.i, true
}

// add appends b[i:end]; its Offset is corrected at the end.
func (s *salvager) add(i, end int, flaw Flaw) {
	if flaw == 0 || flaw == Cut {
		s.records++
	}
	if flaw != 0 {
		s.bad++
		if last := len(s.pieces) - 1; s.bad > maxBad && !s.pieces[last].Whole() {
			p := &s.pieces[last]
			p.Bytes = s.b[p.Offset:end:end]
			return
		}
	}
	s.pieces = append(s.pieces, Piece{Bytes: s.b[i:end:end], Offset: int64(i), Flaw: flaw})
}

// firstKeys are the keys that records are seen to start with.
var firstKeys = map[string]bool{
	"parentUuid": true, "type": true, "uuid": true, "isSidechain": true,
	"message": true, "sessionId": true, "logicalParentUuid": true,
	"leafUuid": true, "summary": true, "timestamp": true, "cwd": true,
	"agentId": true, "messageId": true, "display": true, "userType": true,
}

// candidate returns the first index from i on where a record may start, or
// end: an object with a known first key, or any object right after another.
func (s *salvager) candidate(i, end int) int {
	const longest = len("logicalParentUuid")
	for i < end {
		n := bytes.Index(s.b[i:end], []byte(`{"`))
		if n < 0 {
			return end
		}
		i += n
		key := s.b[i+2 : min(i+2+longest+1, end)]
		quote := bytes.IndexByte(key, '"')
		if quote >= 0 && firstKeys[string(key[:quote])] || i > 0 && s.b[i-1] == '}' {
			return i
		}
		i++
	}
	return end
}

// nested reports whether b[r] is where a value inside the record at i would be.
func nested(b []byte, i, r int) bool {
	for r--; r > i; r-- {
		if !isSpace(b[r]) {
			return b[r] == ':' || b[r] == ',' || b[r] == '['
		}
	}
	return false
}

// isRecord reports whether the object b[i:end] has fields that together only records
// have. One alone is not enough: a record may contain the ids of another.
func (s *salvager) isRecord(i, end int) bool {
	s.budget -= end - i
	s.p.Reset(s.b[i:end])
	kind, link := false, false
	for key := range s.p.Object() {
		switch string(key) {
		case "type", "display":
			kind = true
		case "sessionId", "parentUuid", "leafUuid", "messageId":
			link = true
		}
	}
	return kind && link
}
