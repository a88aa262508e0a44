package sesskeep

import (
	"bytes"
	"strings"

	"sesskeep/internal/jsonl"
)

// outline is what a list has to know of a message's content, found in one pass.
type outline struct {
	head    []byte // how the first text that is not the client's starts
	said    bool   // there is a text, an image or a document
	result  bool   // there is a tool result
	tool    string // id of the first call or of the first result's call
	last    []byte // how the last text starts
	calls   []blockCall
	results []string // ids of the calls that are answered
	uses    []ToolUse
	strange []string // unknown kinds of blocks
}

// ToolUse is a call of a tool on a line, or the answer to one. Tools that run at the
// API are among them.
type ToolUse struct {
	ID     string // of the call
	Tool   string // name of the tool; empty for an answer
	Input  []byte // raw JSON of a call's arguments; part of the line
	Answer bool   // the line answers the call
	Failed bool   // the answer says that the call failed or was refused
}

// blockCall is a tool_use block. Its input aliases the line.
type blockCall struct {
	id, tool string
	input    []byte
}

const (
	headSize = 64            // enough to see who wrote a text
	lastSize = 4 * labelSize // enough for a label after folding white space
)

func (e *Entry) outline() outline {
	var o outline
	o.read(e)
	return o
}

// read outlines another entry, keeping the memory of the last.
func (o *outline) read(e *Entry) {
	*o = outline{calls: o.calls[:0], results: o.results[:0], uses: o.uses[:0]}
	if e.Message == nil {
		return
	}
	var p jsonl.Parser
	p.Reset(e.Message.Content)
	switch p.Kind() {
	case jsonl.String:
		o.text(p.Bytes())
	case jsonl.Array:
		for range p.Array() {
			o.block(&p)
		}
	}
}

func (o *outline) text(b []byte) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if typed := afterEditor(b); len(typed) > 0 {
		b = typed
	}
	// An editor's notice can stand before what was typed.
	if o.head == nil || injected(o.head) {
		o.head = bytes.Clone(b[:min(len(b), headSize)])
	}
	o.said = true
	if len(b) > 0 {
		o.last = bytes.Clone(b[:min(len(b), lastSize)])
	}
}

func (o *outline) block(p *jsonl.Parser) {
	if p.Kind() == jsonl.String {
		o.text(p.Bytes())
		return
	}
	var kind BlockKind
	var call blockCall
	var text []byte
	failed := false
	for key := range p.Object() {
		switch string(key) {
		case "type":
			kind = blockKind(p.Bytes())
		case "text":
			b := p.Bytes()
			text = append([]byte{}, b[:min(len(b), lastSize)]...)
		case "id", "tool_use_id":
			call.id = p.Text()
		case "name":
			call.tool = toolName(p.Bytes())
		case "input":
			call.input = p.Raw()
		case "is_error":
			failed = p.Bool()
		}
	}
	o.use(kind, call, failed)
	switch kind {
	case BlockText:
		o.text(text)
	case BlockImage, BlockDocument:
		o.said = true
	case BlockToolResult:
		o.result = true
		o.results = append(o.results, call.id)
	case BlockToolUse:
		o.calls = append(o.calls, call)
	default:
		if !kind.known() {
			o.strange = append(o.strange, string(kind))
		}
		return
	}
	if o.tool == "" {
		o.tool = call.id
	}
}

// use notes a block that calls a tool or answers a call.
func (o *outline) use(kind BlockKind, call blockCall, failed bool) {
	switch {
	case kind == BlockToolUse, kind == "server_tool_use", kind == "mcp_tool_use":
		o.uses = append(o.uses, ToolUse{ID: call.id, Tool: call.tool, Input: call.input})
	case kind == BlockToolResult, call.id != "" && strings.HasSuffix(string(kind), "_tool_result"):
		o.uses = append(o.uses, ToolUse{ID: call.id, Answer: true, Failed: failed})
	}
}

// blockKind names a kind without allocating for the usual ones.
func blockKind(b []byte) BlockKind {
	for _, k := range knownBlocks[:7] {
		if string(b) == string(k) {
			return k
		}
	}
	return BlockKind(b)
}

// toolName names a tool without allocating for the usual ones.
func toolName(b []byte) string {
	for _, name := range usualTools {
		if string(b) == name {
			return name
		}
	}
	return string(b)
}

var usualTools = [...]string{"Bash", "Read", "Edit", "Write", "Grep", "Glob", "Agent", "Task", "TodoWrite", "TaskUpdate", "WebFetch"}
