package index

import (
	"bytes"
	"encoding/binary"

	"sesskeep"
)

// tally counts what a digest does not: how many lines of a file each message
// has, and which tools were called. It serves one file after another.
type tally struct {
	lines     map[string]int // by message
	synthetic int            // answers that the client made up

	calls []call
	at    map[string]int  // call id → index in calls
	early map[string]bool // ids of failed calls that are still to come
	names []string
	known map[string]int
}

// call is one use of a tool. Its id is kept as a hash: copies of a line have
// the same one, and count once.
type call struct {
	id     uint64
	name   int
	time   int64
	failed bool
}

// maxTools bounds the names of tools that a file can bring in.
const maxTools = 1000

func (t *tally) reset() {
	if t.lines == nil {
		t.lines, t.at, t.known, t.early = map[string]int{}, map[string]int{}, map[string]int{}, map[string]bool{}
	}
	clear(t.lines)
	clear(t.at)
	clear(t.known)
	clear(t.early)
	t.synthetic, t.calls, t.names = 0, t.calls[:0], t.names[:0]
}

func (t *tally) add(e *sesskeep.Entry) {
	if e.Message == nil {
		return
	}
	switch e.Kind {
	case sesskeep.KindAssistant:
		t.answer(e)
	case sesskeep.KindUser:
		if !fails(e.Message.Content) {
			return
		}
		for _, b := range e.Blocks() {
			if b.Kind == sesskeep.BlockToolResult && b.Error {
				t.fail(b.ID)
			}
		}
	}
}

// fail notes that a call failed, whether it was met or is still to come: clients
// 2.1.105 to 2.1.131 can write a result before its call.
func (t *tally) fail(id string) {
	if i, ok := t.at[id]; ok {
		t.calls[i].failed = true
		return
	}
	t.early[id] = true
}

func (t *tally) answer(e *sesskeep.Entry) {
	m := e.Message
	if m.Model == sesskeep.SyntheticModel {
		t.synthetic++
		return
	}
	if m.Usage != (sesskeep.Usage{}) {
		t.lines[messageKey(e)]++
	}
	if !bytes.Contains(m.Content, []byte("tool_use")) {
		return
	}
	for _, b := range e.Blocks() {
		if b.Kind == sesskeep.BlockToolUse || b.Kind == "server_tool_use" || b.Kind == "mcp_tool_use" {
			t.call(e, b)
		}
	}
}

func (t *tally) call(e *sesskeep.Entry, b sesskeep.Block) {
	if _, ok := t.at[b.ID]; ok || b.ID == "" {
		return
	}
	name, ok := t.known[b.Name]
	if !ok {
		if len(t.names) == maxTools {
			return
		}
		name = len(t.names)
		t.names = append(t.names, sesskeep.OneLine(b.Name))
		t.known[b.Name] = name
	}
	t.at[b.ID] = len(t.calls)
	t.calls = append(t.calls, call{id: hashID(b.ID), name: name, time: e.Time.UnixMilli(), failed: t.early[b.ID]})
}

// messageKey is what a digest counts an answer by.
func messageKey(e *sesskeep.Entry) string {
	if e.Message.ID != "" {
		return e.Message.ID
	}
	return e.UUID
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

// pack writes the calls in few bytes.
func (t *tally) pack() []byte {
	if len(t.calls) == 0 {
		return []byte{}
	}
	raw := packNames(nil, t.names)
	last := int64(0)
	for _, c := range t.calls {
		failed := uint64(0)
		if c.failed {
			failed = 1
		}
		raw = binary.LittleEndian.AppendUint64(raw, c.id)
		raw = binary.AppendUvarint(raw, uint64(c.name))
		raw = binary.AppendUvarint(raw, failed)
		raw = binary.AppendVarint(raw, c.time-last)
		last = c.time
	}
	return raw
}

// calls gives the packed calls of a file one after another.
func (p *unpacker) calls(raw []byte, visit func(c *Call, id uint64)) error {
	if len(raw) == 0 {
		return nil
	}
	var c Call
	at := int64(0)
	for p.reset(raw); p.more(); {
		id := p.bytes(8)
		c.Tool = p.name()
		c.Failed = p.count() == 1
		at += p.signed()
		c.At = at
		if !p.bad {
			visit(&c, binary.LittleEndian.Uint64(id))
		}
	}
	if p.bad {
		return errPacked
	}
	return nil
}
