package sesskeep

import (
	"errors"
	"time"

	"sesskeep/internal/jsonl"
)

var errNotObject = errors.New("not a JSON object")

// Decode reads one line. An unknown kind is not an error, and a field of an
// unexpected type is left empty; Decode fails only if the line is not a JSON
// object. The Entry keeps line as its Raw.
func Decode(line []byte) (Entry, error) {
	d := decoder{single: true}
	return d.entry(line)
}

// decoder decodes many lines. It keeps the strings that repeat from line to
// line, so that a long file does not allocate its cwd a thousand times.
type decoder struct {
	p      jsonl.Parser
	seen   map[string]string
	single bool // one line only: nothing will repeat
}

// internLimit bounds the kept strings: message ids are among them and do not
// repeat for long.
const internLimit = 512

func (d *decoder) intern(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if d.single {
		return string(b)
	}
	if s, ok := d.seen[string(b)]; ok {
		return s
	}
	if d.seen == nil || len(d.seen) >= internLimit {
		d.seen = make(map[string]string, internLimit)
	}
	s := string(b)
	d.seen[s] = s
	return s
}

func (d *decoder) entry(line []byte) (Entry, error) {
	var e Entry
	err := d.into(&e, line)
	return e, err
}

// into decodes a line into e, so that reading a file needs one Entry and not
// one a line.
func (d *decoder) into(e *Entry, line []byte) error {
	*e = Entry{Raw: line}
	d.p.Reset(line)
	if d.p.Kind() != jsonl.Object {
		*e = Entry{}
		return errNotObject
	}
	for key := range d.p.Object() {
		if !d.chainField(e, key) && !d.otherField(e, key) && !knownFields[string(key)] {
			e.Unknown = append(e.Unknown, string(key))
		}
	}
	if err := d.p.End(); err != nil {
		*e = Entry{}
		return err
	}
	return nil
}

// chainField reads the fields that make the tree and say who wrote the line.
func (d *decoder) chainField(e *Entry, key []byte) bool {
	p := &d.p
	switch string(key) {
	case "type":
		e.Kind = Kind(d.intern(p.Bytes()))
	case "uuid":
		e.UUID = d.intern(p.Bytes()) // which the next line names as its parent
	case "parentUuid":
		e.Parent = d.intern(p.Bytes())
	case "logicalParentUuid":
		e.Logical = p.Text()
	case "sourceToolAssistantUUID":
		e.Source = d.intern(p.Bytes())
	case "sessionId":
		e.Session = SessionID(d.intern(p.Bytes()))
	case "agentId":
		e.Agent = AgentID(d.intern(p.Bytes()))
	case "timestamp":
		e.Time = parseTime(p)
	case "isSidechain":
		e.Sidechain = p.Bool()
	case "isMeta":
		e.Meta = p.Bool()
	case "isCompactSummary":
		e.CompactSummary = p.Bool()
	case "isApiErrorMessage":
		e.APIError = p.Bool()
	case "isAbortedMidStream":
		e.Aborted = p.Bool()
	case "cwd":
		e.Cwd = d.intern(p.Bytes())
	case "gitBranch":
		e.GitBranch = d.intern(p.Bytes())
	case "version":
		e.Version = d.intern(p.Bytes())
	case "entrypoint":
		e.Entrypoint = d.intern(p.Bytes())
	case "sessionKind":
		e.SessionKind = d.intern(p.Bytes())
	case "slug":
		e.Slug = d.intern(p.Bytes())
	case "message":
		e.Message = d.message()
	case "toolUseResult":
		e.Result = p.Raw()
	default:
		return false
	}
	return true
}

// otherField reads where a prompt came from, and what the other kinds say.
func (d *decoder) otherField(e *Entry, key []byte) bool {
	p := &d.p
	switch string(key) {
	case "promptSource":
		e.PromptSource = d.intern(p.Bytes())
	case "turnOrigin":
		e.TurnOrigin = d.intern(p.Bytes())
	case "origin":
		e.Origin = d.inner("kind")
	case "forkedFrom":
		e.ForkedFrom = SessionID(d.inner("sessionId"))
	case "subtype", "operation":
		e.Subtype = d.intern(p.Bytes())
	case "content":
		e.Content = p.Raw()
	case "attachment":
		d.attachment(e)
	case "data":
		e.Subtype = d.inner("type")
	case "customTitle", "aiTitle", "summary", "tag", "lastPrompt", "agentName", "continuedInSessionId":
		e.Text = p.Text()
	case "leafUuid":
		e.Leaf = p.Text()
	default:
		return false
	}
	return true
}

// inner reads one string field of an object.
func (d *decoder) inner(name string) string {
	var s string
	for key := range d.p.Object() {
		if string(key) == name {
			s = d.intern(d.p.Bytes())
		}
	}
	return s
}

func (d *decoder) attachment(e *Entry) {
	p := &d.p
	for key := range p.Object() {
		switch string(key) {
		case "type":
			e.Subtype = d.intern(p.Bytes())
		case "prompt":
			e.Content = p.Raw()
		case "origin":
			e.Origin = d.inner("kind")
			e.Human = e.Origin == "human" || e.Human
		case "commandMode":
			e.Mode = d.intern(p.Bytes())
		case "isMeta":
			e.Meta = p.Bool() || e.Meta
		case "humanTurn":
			e.Human = p.Bool() || e.Human
		}
	}
}

// parseTime reads a time as the client writes it, or any RFC 3339 time, or
// milliseconds since 1970. Anything else is no time.
func parseTime(p *jsonl.Parser) time.Time {
	if p.Kind() == jsonl.Number {
		return writable(time.UnixMilli(p.Int()).UTC())
	}
	b := p.Bytes()
	if t, ok := stampTime(b); ok {
		return t
	}
	t, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil {
		return time.Time{}
	}
	return writable(t.UTC())
}

// writable drops a time that JSON has no form for: a Digest that holds one
// could not be saved.
func writable(t time.Time) time.Time {
	if year := t.Year(); year < 0 || year > 9999 {
		return time.Time{}
	}
	return t
}

// stampTime reads 2026-11-15T01:40:33.092Z, the one form every client writes,
// without the cost of a general parser.
func stampTime(b []byte) (time.Time, bool) {
	const form = "0000-00-00T00:00:00.000Z"
	if len(b) != len(form) {
		return time.Time{}, false
	}
	for i := range len(form) {
		isDigit := '0' <= b[i] && b[i] <= '9'
		if form[i] == '0' && !isDigit || form[i] != '0' && b[i] != form[i] {
			return time.Time{}, false
		}
	}
	num := func(from, to int) int {
		n := 0
		for _, c := range b[from:to] {
			n = n*10 + int(c-'0')
		}
		return n
	}
	year, month, day := num(0, 4), time.Month(num(5, 7)), num(8, 10)
	hour, minute, second, milli := num(11, 13), num(14, 16), num(17, 19), num(20, 23)
	t := time.Date(year, month, day, hour, minute, second, milli*1e6, time.UTC)
	if t.Month() != month || t.Day() != day || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	return t, true
}
