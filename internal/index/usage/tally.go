package usage

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// Tally counts what a digest does not: how many lines of a file each message
// has, and which tools were called. It serves one file after another.
type Tally struct {
	lines     map[string]int // by message
	synthetic int            // answers that the client made up

	calls []call
	at    map[string]int  // call id → index in calls
	early map[string]bool // ids of failed calls that are still to come
	known map[string]string

	// What changed since ForgetChanges: messages, and pieces of the calls.
	messages map[string]bool
	pieces   map[int]bool
}

// call is one use of a tool. Its id is kept as a hash: copies of a line have
// the same one, and count once.
type call struct {
	id     uint64
	name   string
	time   int64
	failed bool
}

// maxTools bounds the names of tools that a file can bring in.
const maxTools = 1000

// callPiece is how many calls are in a piece.
const callPiece = 128

// Reset empties it for another file.
func (t *Tally) Reset() {
	if t.lines == nil {
		t.lines, t.at, t.known, t.early = map[string]int{}, map[string]int{}, map[string]string{}, map[string]bool{}
	}
	clear(t.lines)
	clear(t.at)
	clear(t.known)
	clear(t.early)
	t.synthetic, t.calls = 0, t.calls[:0]
}

// ForgetChanges starts to note what changes.
func (t *Tally) ForgetChanges() {
	if t.messages == nil {
		t.messages, t.pieces = map[string]bool{}, map[int]bool{}
	}
	clear(t.messages)
	clear(t.pieces)
}

// Changes is how many messages changed.
func (t *Tally) Changes() int { return len(t.messages) }

// Changed reports whether a message did.
func (t *Tally) Changed(message string) bool { return t.messages[message] }

// LinesOf is how many lines repeat a message.
func (t *Tally) LinesOf(message string) int { return t.lines[message] }

// Synthetic is how many answers the client made up.
func (t *Tally) Synthetic() int { return t.synthetic }

// Calls is how many calls there are.
func (t *Tally) Calls() int { return len(t.calls) }

// Clone is a copy that is added to without changing the original.
func (t *Tally) Clone() *Tally {
	c := *t
	c.lines, c.at, c.known, c.early = maps.Clone(t.lines), maps.Clone(t.at), maps.Clone(t.known), maps.Clone(t.early)
	c.messages, c.pieces, c.calls = maps.Clone(t.messages), maps.Clone(t.pieces), slices.Clone(t.calls)
	return &c
}

// Add counts a line, which is fresh if the index does not have it.
func (t *Tally) Add(e *sesskeep.Entry, fresh bool) {
	if e.Message == nil {
		return
	}
	switch e.Kind {
	case sesskeep.KindAssistant:
		t.answer(e, fresh)
	case sesskeep.KindUser:
		if !fails(e.Message.Content) {
			return
		}
		for _, b := range e.Blocks() {
			if b.Kind == sesskeep.BlockToolResult && b.Error {
				t.fail(b.ID, fresh)
			}
		}
	}
}

// noteCall notes that a call is other than the index has it.
func (t *Tally) noteCall(i int, fresh bool) {
	if fresh {
		t.pieces[i/callPiece] = true
	}
}

// fail notes that a call failed, whether it was met or is still to come: clients
// 2.1.105 to 2.1.131 can write a result before its call.
func (t *Tally) fail(id string, fresh bool) {
	i, ok := t.at[id]
	if !ok {
		t.early[id] = true
		return
	}
	t.calls[i].failed = true
	t.noteCall(i, fresh)
}

func (t *Tally) answer(e *sesskeep.Entry, fresh bool) {
	m := e.Message
	if m.Model == sesskeep.SyntheticModel {
		t.synthetic++
		t.noteCall(0, fresh)
		return
	}
	for row := range e.UsageRows() {
		t.lines[row.Message]++
		if fresh {
			t.messages[row.Message] = true
		}
	}
	if !bytes.Contains(m.Content, []byte("tool_use")) {
		return
	}
	for _, b := range e.Blocks() {
		if b.Kind == sesskeep.BlockToolUse || b.Kind == "server_tool_use" || b.Kind == "mcp_tool_use" {
			t.call(e, b, fresh)
		}
	}
}

func (t *Tally) call(e *sesskeep.Entry, b sesskeep.Block, fresh bool) {
	if _, ok := t.at[b.ID]; ok || b.ID == "" {
		return
	}
	name, ok := t.known[b.Name]
	if !ok {
		if len(t.known) == maxTools {
			return
		}
		name = sesskeep.OneLine(b.Name)
		t.known[b.Name] = name
	}
	t.noteCall(len(t.calls), fresh)
	t.at[b.ID] = len(t.calls)
	t.calls = append(t.calls, call{id: db.Hash(b.ID), name: name, time: e.Time.UnixMilli(), failed: t.early[b.ID]})
}

// fails reports whether one of the results in a content can be an error.
// Decoding all of them would cost more than the rest of the fold.
func fails(content []byte) bool {
	const key = `"is_error":`
	for {
		i := bytes.Index(content, []byte(key))
		if i < 0 {
			return false
		}
		content = bytes.TrimLeft(content[i+len(key):], " \t\r\n")
		if bytes.HasPrefix(content, []byte("true")) {
			return true
		}
	}
}

// Pack writes the calls in few bytes: all of them, or the pieces that changed.
// The first piece is there for the answers the client made up, too.
func (t *Tally) Pack(all bool) (list []db.Piece) {
	for n := 0; n*callPiece < len(t.calls) || n == 0 && t.synthetic > 0; n++ {
		if all || t.pieces[n] {
			list = append(list, db.Piece{N: n, Body: packCalls(t.calls[n*callPiece : min((n+1)*callPiece, len(t.calls))])})
		}
	}
	return list
}

func packCalls(calls []call) []byte {
	if len(calls) == 0 {
		return []byte{}
	}
	var names []string
	number := map[string]int{}
	for _, c := range calls {
		if _, ok := number[c.name]; !ok {
			number[c.name] = len(names)
			names = append(names, c.name)
		}
	}
	raw := packNames(nil, names)
	last := int64(0)
	for _, c := range calls {
		failed := uint64(0)
		if c.failed {
			failed = 1
		}
		raw = binary.LittleEndian.AppendUint64(raw, c.id)
		raw = binary.AppendUvarint(raw, uint64(number[c.name]))
		raw = binary.AppendUvarint(raw, failed)
		raw = binary.AppendVarint(raw, c.time-last)
		last = c.time
	}
	return raw
}

// calls gives the packed calls of a file one after another.
func (p *Unpacker) calls(raw []byte, visit func(c *ask.Call, id uint64)) error {
	if len(raw) == 0 {
		return nil
	}
	var c ask.Call
	at := int64(0)
	for p.reset(raw); p.More(); {
		id := p.Bytes(8)
		c.Tool = p.name()
		c.Failed = p.Number() == 1
		at += p.Signed()
		c.At = at
		if !p.Bad() {
			visit(&c, binary.LittleEndian.Uint64(id))
		}
	}
	return p.end()
}
