package search

import (
	"bytes"
	"errors"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/jsonl"
	"sesskeep/internal/query"
)

var errNotObject = errors.New("not a JSON object")

// Skim reads many lines for a search: the kind and uuid of each line, and its
// strings without their kinds. It allocates hardly any memory. The zero value is
// ready to use.
type Skim struct {
	Kind sesskeep.Kind // of the line read last
	UUID []byte        // of the same

	w    walker
	none sesskeep.Entry
}

// Read gives the strings of a line to visit, those that [Values] yields,
// until visit returns false; a nil visit wants none. A text is valid until visit
// returns. It fails where [sesskeep.Decode] does.
func (s *Skim) Read(line []byte, visit func(text []byte) bool) error {
	w := &s.w
	w.entry, w.done = &s.none, visit == nil
	w.visit = func(_ ask.TextKind, _, text []byte) bool { return visit(text) }
	s.Kind, s.UUID = "", s.UUID[:0]
	w.p.Reset(line)
	if w.p.Kind() != jsonl.Object {
		return errNotObject
	}
	for key := range w.p.Object() {
		switch string(key) {
		case "uuid":
			s.UUID = append(s.UUID[:0], s.field(key)...)
		case "type":
			s.Kind = kindOf(s.field(key))
		default:
			w.value(key, ask.TextOther, 1)
		}
	}
	return w.p.End()
}

// field reads a string that says what the line is, and passes it to visit too.
func (s *Skim) field(key []byte) []byte {
	w := &s.w
	if w.p.Kind() != jsonl.String {
		w.value(key, ask.TextOther, 1)
		return nil
	}
	text := w.p.Bytes()
	if !w.done {
		w.done = !w.visit(ask.TextOther, key, text)
	}
	return text
}

// kindOf is without a copy for the kinds that most lines have.
func kindOf(text []byte) sesskeep.Kind {
	for _, k := range [...]sesskeep.Kind{sesskeep.KindAssistant, sesskeep.KindUser, sesskeep.KindProgress, sesskeep.KindAttachment, sesskeep.KindSystem} {
		if string(k) == string(text) {
			return k
		}
	}
	return sesskeep.Kind(text)
}

// UUIDOf returns the uuid of a complete line, which is plain if it writes no printable
// character as a \u escape, and own if it has no key "uuid" but its own. Clients write it
// near the end, or before a long result of a tool, so UUIDOf looks for it from both ends.
func (s *Skim) UUIDOf(line []byte, plain, own bool) ([]byte, error) {
	if uuid, ok := lastUUID(line); ok {
		return uuid, nil
	}
	if own {
		return onlyUUID(line), nil
	}
	if plain && s.firstUUID(line) {
		return s.UUID, nil
	}
	err := s.Read(line, nil)
	return s.UUID, err
}

var uuidKey = []byte(`"uuid"`)

// firstUUID goes through the members of an object up to its uuid, unless another uuid may
// follow. What follows is not read.
func (s *Skim) firstUUID(line []byte) (found bool) {
	p := &s.w.p
	p.Reset(line)
	for key := range p.Object() {
		if string(key) == "uuid" && p.Kind() == jsonl.String {
			s.UUID = append(s.UUID[:0], p.Bytes()...)
			found = !bytes.Contains(line[p.At():], uuidKey)
			p.Reset(nil)
			break
		}
	}
	return found
}

// onlyUUID returns the value of the only key "uuid" of a line, at any depth. Between two bare
// quotes, what a colon follows can only be a key.
func onlyUUID(line []byte) []byte {
	for at := nextBytes(line, uuidKey, 1, 0); at >= 0; at = nextBytes(line, uuidKey, 1, at+1) {
		colon := spaceAt(line, at+len(uuidKey))
		if at == 0 || line[at-1] == '\\' || colon == len(line) || line[colon] != ':' {
			continue
		}
		from := spaceAt(line, colon+1) + 1
		if from >= len(line) || line[from-1] != '"' {
			return nil
		}
		end := bytes.IndexByte(line[from:], '"')
		if end < 0 {
			return nil
		}
		return line[from : from+end]
	}
	return nil
}

func spaceAt(line []byte, at int) int {
	for at < len(line) && line[at] <= ' ' {
		at++
	}
	return at
}

var summaryKind = []byte(`"summary"`)

// maybeSummary reports whether a whole line can be a summary.
func maybeSummary(line []byte, plain bool) bool {
	const mm = 3
	return !plain || nextBytes(line, summaryKind, mm, 0) >= 0
}

// nextBytes returns where some bytes occur next, or -1: it looks for two of them that are
// rare together.
func nextBytes(b, wanted []byte, pair, from int) int {
	for at := from + pair; ; at++ {
		if at = query.NextPair(b, wanted[pair], wanted[pair+1], at); at < 0 {
			return -1
		}
		if bytes.HasPrefix(b[at-pair:], wanted) {
			return at - pair
		}
	}
}

// lastUUID goes through the members of an object from its end, as long as they
// are short and hold no others.
func lastUUID(line []byte) ([]byte, bool) {
	at, ok := passBack(line, len(line), '}')
	for ok {
		var value, key []byte
		if value, at, ok = valueBefore(line, at); !ok {
			return nil, false
		}
		if at, ok = passBack(line, at, ':'); !ok {
			return nil, false
		}
		if key, at, ok = valueBefore(line, at); !ok {
			return nil, false
		}
		if string(key) == `"uuid"` {
			n := len(value)
			plain := n >= 2 && value[0] == '"' && bytes.IndexByte(value, '\\') < 0
			if !plain {
				return nil, false
			}
			return value[1 : n-1], true
		}
		at, ok = passBack(line, at, ',')
	}
	return nil, false
}

// passBack passes a sign that ends at at, and the white space around it.
func passBack(line []byte, at int, sign byte) (int, bool) {
	at = spaceBefore(line, at)
	if at == 0 || line[at-1] != sign {
		return 0, false
	}
	return spaceBefore(line, at-1), true
}

func spaceBefore(line []byte, at int) int {
	for at > 0 && (line[at-1] == ' ' || line[at-1] == '\t' || line[at-1] == '\r' || line[at-1] == '\n') {
		at--
	}
	return at
}

// shortValue is how far back a value is looked for: reading a long one forward
// is faster.
const shortValue = 1024

// valueBefore is the string, number or word that ends at at, and where it begins.
func valueBefore(line []byte, at int) (value []byte, start int, ok bool) {
	if at == 0 {
		return nil, 0, false
	}
	first := max(0, at-shortValue)
	if line[at-1] != '"' {
		for start = at; start > first && isScalar(line[start-1]); start-- {
		}
		return line[start:at], start, start < at && start > first
	}
	for start = at - 1; ; {
		i := bytes.LastIndexByte(line[first:start], '"')
		if i < 0 {
			return nil, 0, false
		}
		start = first + i
		slashes := 0
		for start-slashes > 0 && line[start-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return line[start:at], start, true
		}
	}
}

func isScalar(c byte) bool { return isAlnum(c) || c == '-' || c == '+' || c == '.' }
