package check

import (
	"bytes"
	"slices"
	"time"

	"sesskeep"
	"sesskeep/internal/jsonl"
)

// span is where a value stands in the bytes of a record.
type span struct{ from, to int }

func (s span) found() bool { return s.to > s.from }

// record is what a check needs to know of a record, and where the values stand
// that a repair may change.
type record struct {
	kind      sesskeep.Kind
	uuid      string
	parent    string
	source    string // the answer that holds the call this is a result of
	session   string
	sidechain bool
	timed     bool // it has a time that the client can read
	message   bool // it has a message with a content
	marker    bool // it says that an answer was interrupted
	calls     []string
	results   []string
	saved     string // the file to which an output was saved
	agent     string // the agent that a call started, on its result

	parentAt, sessionAt, timeAt, cwdAt, forkAt span
}

// decoder reads records, keeping its memory.
type decoder struct {
	p jsonl.Parser
	r record
}

// decode reads one record. The second result is false for what is none.
func (d *decoder) decode(raw []byte) (*record, bool) {
	d.r = record{calls: d.r.calls[:0], results: d.r.results[:0]}
	p := &d.p
	p.Reset(raw)
	if p.Kind() != jsonl.Object {
		return nil, false
	}
	for key := range p.Object() {
		d.field(key)
	}
	return &d.r, p.End() == nil
}

func (d *decoder) field(key []byte) {
	p, r := &d.p, &d.r
	switch string(key) {
	case "type":
		r.kind = sesskeep.Kind(p.Bytes())
	case "uuid":
		r.uuid = p.Text()
	case "parentUuid":
		r.parentAt.from = p.At()
		r.parent = p.Text()
		r.parentAt.to = p.At()
	case "sourceToolAssistantUUID":
		r.source = p.Text()
	case "sessionId":
		r.sessionAt.from = p.At()
		r.session = p.Text()
		r.sessionAt.to = p.At()
	case "cwd":
		r.cwdAt.from = p.At()
		p.Skip()
		r.cwdAt.to = p.At()
	case "forkedFrom":
		r.forkAt.from = p.At()
		p.Skip()
		r.forkAt.to = p.At()
	case "timestamp":
		r.timeAt.from = p.At()
		r.timed = readableTime(p)
		r.timeAt.to = p.At()
	case "isSidechain":
		r.sidechain = p.Bool()
	case "message":
		d.message()
	case "toolUseResult":
		d.result()
	}
}

// readableTime reports whether the client can make a time of the next value.
func readableTime(p *jsonl.Parser) bool {
	if p.Kind() == jsonl.Number {
		p.Skip()
		return true
	}
	text := p.Text()
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}

func (d *decoder) message() {
	p, r := &d.p, &d.r
	for key := range p.Object() {
		if string(key) != "content" {
			continue
		}
		switch p.Kind() {
		case jsonl.String:
			r.message = true
			r.marker = isMarker(p.Bytes())
		case jsonl.Array:
			r.message = true
			for range p.Array() {
				d.block()
			}
		}
	}
}

// isMarker reports whether a text is what the client writes when the user has
// interrupted an answer.
func isMarker(text []byte) bool { return bytes.HasPrefix(text, []byte("[Request interrupted by user")) }

func (d *decoder) block() {
	p, r := &d.p, &d.r
	var kind, id, of string
	for key := range p.Object() {
		switch string(key) {
		case "type":
			kind = p.Text()
		case "id":
			id = p.Text()
		case "tool_use_id":
			of = p.Text()
		case "text":
			r.marker = r.marker || isMarker(p.Bytes())
		}
	}
	switch {
	case kind == string(sesskeep.BlockToolUse) && id != "":
		r.calls = append(r.calls, id)
	case kind == string(sesskeep.BlockToolResult) && of != "":
		r.results = append(r.results, of)
	}
}

func (d *decoder) result() {
	p, r := &d.p, &d.r
	for key := range p.Object() {
		switch string(key) {
		case "persistedOutputPath":
			r.saved = p.Text()
		case "agentId":
			r.agent = p.Text()
		}
	}
}

// node reports whether others can have the record as their parent.
func (r *record) node() bool {
	return r.uuid != "" && (chained(r.kind) || r.kind == sesskeep.KindProgress || !r.kind.Known())
}

// chained reports whether the client takes records of a kind into the talk.
func chained(k sesskeep.Kind) bool {
	switch k {
	case sesskeep.KindUser, sesskeep.KindAssistant, sesskeep.KindSystem, sesskeep.KindAttachment:
		return true
	}
	return false
}

// talk reports whether the record is one that the client can resume from.
func (r *record) talk() bool {
	spoken := r.kind == sesskeep.KindUser || r.kind == sesskeep.KindAssistant
	return chained(r.kind) && !r.sidechain && (r.message || !spoken)
}

// patch is another value for a part of a record.
type patch struct {
	at   span
	text string // JSON
}

// patched appends a record to out, with some of its values replaced.
func patched(out, raw []byte, patches []patch) []byte {
	from := 0
	for _, p := range patches {
		out = append(out, raw[from:p.at.from]...)
		out = append(out, p.text...)
		from = p.at.to
	}
	out = append(out, raw[from:]...)
	return out
}

// oneLine takes the line ends out of a record that is written over several lines.
// There are none inside of a JSON string.
func oneLine(raw []byte) []byte {
	return slices.DeleteFunc(slices.Clone(raw), func(c byte) bool { return c == '\n' || c == '\r' })
}
