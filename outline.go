package sesskeep

import (
	"bytes"

	"sesskeep/internal/jsonl"
)

// outline is what a list has to know of a message's content, found in one pass.
type outline struct {
	head    []byte   // how the first text that is not the client's starts
	said    bool     // there is a text, an image or a document
	result  bool     // there is a tool result
	tool    string   // id of the first call or of the first result's call
	last    []byte   // how the last text starts
	strange []string // kinds of blocks nobody knows
}

const (
	headSize = 64            // enough to see who wrote a text
	lastSize = 4 * labelSize // enough for a label after folding white space
)

func (e *Entry) outline() outline {
	if e.Message == nil {
		return outline{}
	}
	var o outline
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
	return o
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
	var id string
	var text []byte
	for key := range p.Object() {
		switch string(key) {
		case "type":
			kind = blockKind(p.Bytes())
		case "text":
			b := p.Bytes()
			text = append([]byte{}, b[:min(len(b), lastSize)]...)
		case "id", "tool_use_id":
			id = p.Text()
		}
	}
	switch kind {
	case TextBlock:
		o.text(text)
	case ImageBlock, DocumentBlock:
		o.said = true
	case ToolResultBlock:
		o.result = true
	case ToolUseBlock:
	default:
		if !kind.Known() {
			o.strange = append(o.strange, string(kind))
		}
		return
	}
	if o.tool == "" {
		o.tool = id
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
