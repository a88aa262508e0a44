package search

import (
	"iter"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/gram"
	"sesskeep/internal/jsonl"
)

// Value is one decoded string of an entry.
type Value struct {
	Kind ask.TextKind
	Key  string // the field it stands in, without those above it
	Text string
}

// Values yields every string of the entry at any depth, except keys,
// signatures and the base64 of images and documents.
func Values(e *sesskeep.Entry) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		walkTexts(e, func(kind ask.TextKind, key, text []byte) bool { return yield(Value{kind, string(key), string(text)}) })
	}
}

// texts yields the same strings as Values without copying them: each is valid only
// until the next one.
func texts(e *sesskeep.Entry) iter.Seq2[ask.TextKind, []byte] {
	return func(yield func(ask.TextKind, []byte) bool) {
		walkTexts(e, func(kind ask.TextKind, _, text []byte) bool { return yield(kind, text) })
	}
}

func walkTexts(e *sesskeep.Entry, visit func(kind ask.TextKind, key, text []byte) bool) {
	w := walker{entry: e, prompt: e.IsPrompt(), visit: visit}
	w.p.Reset(e.Raw)
	w.value(nil, ask.TextOther, 0)
}

// walker goes through the raw JSON of an entry.
type walker struct {
	entry  *sesskeep.Entry
	p      jsonl.Parser
	visit  func(kind ask.TextKind, key, text []byte) bool // false: no more
	prompt bool
	done   bool
}

// deepest is how far down values are looked for; JSON below it is no format.
const deepest = 200

func (w *walker) value(key []byte, kind ask.TextKind, depth int) {
	if w.done || depth > deepest {
		return
	}
	switch w.p.Kind() {
	case jsonl.String:
		if text := w.p.Bytes(); !gram.Blob(key, text) {
			w.done = !w.visit(kind, key, text)
		}
	case jsonl.Array:
		for range w.p.Array() {
			w.value(key, kind, depth+1)
		}
	case jsonl.Object:
		w.object(kind, depth)
	}
}

func (w *walker) object(kind ask.TextKind, depth int) {
	for key := range w.p.Object() {
		if w.done {
			return
		}
		if string(key) == "type" && w.p.Kind() == jsonl.String {
			text := w.p.Bytes()
			kind = blockValue(kind, text)
			w.done = !w.visit(ask.TextOther, key, text)
			continue
		}
		w.value(key, w.below(kind, key, depth), depth+1)
	}
}

// blockValue is the kind of the strings in a block of this type.
func blockValue(kind ask.TextKind, blockType []byte) ask.TextKind {
	if kind == ask.TextOther {
		return kind
	}
	switch sesskeep.BlockKind(blockType) {
	case sesskeep.BlockThinking, sesskeep.BlockRedacted:
		return ask.TextThinking
	case sesskeep.BlockToolUse, "server_tool_use", "mcp_tool_use":
		return ask.TextInput
	case sesskeep.BlockToolResult:
		return ask.TextOutput
	}
	return kind
}

// below is the kind of the strings in a field.
func (w *walker) below(kind ask.TextKind, key []byte, depth int) ask.TextKind {
	if depth > 0 {
		if kind == ask.TextOther && depth == 1 && string(key) == "content" && w.entry.Message != nil {
			return w.spoken()
		}
		if kind == ask.TextOther && string(key) == "prompt" && w.entry.Subtype == sesskeep.SubtypeQueuedCommand {
			return w.sent()
		}
		return kind
	}
	switch string(key) {
	case "customTitle", "aiTitle", "summary":
		return ask.TextTitle
	case "toolUseResult":
		return ask.TextOutput
	case "content":
		if w.entry.Queued {
			return w.sent()
		}
	}
	return ask.TextOther
}

// spoken is the kind of a message's content.
func (w *walker) spoken() ask.TextKind {
	switch {
	case !w.entry.Spoken():
		return ask.TextOther // a record of a request repeats what was said
	case w.entry.Kind == sesskeep.KindAssistant, w.entry.CompactSummary:
		return ask.TextAnswer
	}
	return w.sent()
}

// sent is the kind of what somebody, or else the client, sent to the model.
func (w *walker) sent() ask.TextKind {
	if w.prompt {
		return ask.TextPrompt
	}
	return ask.TextNote
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
