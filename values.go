package sesskeep

import (
	"iter"

	"sesskeep/internal/jsonl"
)

// ValueKind says what a string of a transcript is.
type ValueKind string

// The kinds of strings, in the order in which a hit in one says most about what
// a session was about.
const (
	ValueTitle    ValueKind = "title"
	ValuePrompt   ValueKind = "prompt"
	ValueAnswer   ValueKind = "answer"
	ValueThinking ValueKind = "thinking"
	ValueInput    ValueKind = "input"  // of a tool
	ValueOutput   ValueKind = "output" // of a tool
	ValueNote     ValueKind = "note"   // a text that the client put into the conversation
	ValueOther    ValueKind = "other"  // everything else it writes down
)

// Value is one decoded string of an entry.
type Value struct {
	Kind ValueKind
	Key  string // the field it stands in, without those above it
	Text string
}

// Values yields every string of the entry at any depth, except keys,
// signatures and the base64 of images and documents.
func (e *Entry) Values() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		e.walk(func(kind ValueKind, key, text []byte) bool { return yield(Value{kind, string(key), string(text)}) })
	}
}

// Texts yields the same strings as Values without copying them: each is valid only
// until the next one.
func (e *Entry) Texts() iter.Seq2[ValueKind, []byte] {
	return func(yield func(ValueKind, []byte) bool) {
		e.walk(func(kind ValueKind, _, text []byte) bool { return yield(kind, text) })
	}
}

func (e *Entry) walk(visit func(kind ValueKind, key, text []byte) bool) {
	w := walker{entry: e, prompt: e.IsPrompt(), visit: visit}
	w.p.Reset(e.Raw)
	w.value(nil, ValueOther, 0)
}

// walker goes through the raw JSON of an entry.
type walker struct {
	entry  *Entry
	p      jsonl.Parser
	visit  func(kind ValueKind, key, text []byte) bool // false: no more
	prompt bool
	done   bool
}

// deepest is how far down values are looked for; JSON below it is no format.
const deepest = 200

func (w *walker) value(key []byte, kind ValueKind, depth int) {
	if w.done || depth > deepest {
		return
	}
	switch w.p.Kind() {
	case jsonl.String:
		if text := w.p.Bytes(); !blob(key, text) {
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

func (w *walker) object(kind ValueKind, depth int) {
	for key := range w.p.Object() {
		if w.done {
			return
		}
		if string(key) == "type" && w.p.Kind() == jsonl.String {
			text := w.p.Bytes()
			kind = blockValue(kind, text)
			w.done = !w.visit(ValueOther, key, text)
			continue
		}
		w.value(key, w.below(kind, key, depth), depth+1)
	}
}

// blobSize is where a string of base64 stops being something to read.
const blobSize = 256

// blob reports whether a string is a signature or encoded bytes.
func blob(key, text []byte) bool {
	switch string(key) {
	case "signature":
		return true
	case "data", "base64":
		return len(text) >= blobSize && isBase64(text)
	}
	return false
}

func isBase64(text []byte) bool {
	for _, c := range text {
		if !isAlnum(c) && c != '+' && c != '/' && c != '=' && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// blockValue is the kind of the strings in a block of this type.
func blockValue(kind ValueKind, blockType []byte) ValueKind {
	if kind == ValueOther {
		return kind
	}
	switch BlockKind(blockType) {
	case BlockThinking, BlockRedacted:
		return ValueThinking
	case BlockToolUse, "server_tool_use", "mcp_tool_use":
		return ValueInput
	case BlockToolResult:
		return ValueOutput
	}
	return kind
}

// below is the kind of the strings in a field.
func (w *walker) below(kind ValueKind, key []byte, depth int) ValueKind {
	if depth > 0 {
		if kind == ValueOther && depth == 1 && string(key) == "content" && w.entry.Message != nil {
			return w.spoken()
		}
		if kind == ValueOther && string(key) == "prompt" && w.entry.Subtype == SubtypeQueuedCommand {
			return w.sent()
		}
		return kind
	}
	switch string(key) {
	case "customTitle", "aiTitle", "summary":
		return ValueTitle
	case "toolUseResult":
		return ValueOutput
	case "content":
		if w.entry.Queued {
			return w.sent()
		}
	}
	return ValueOther
}

// spoken is the kind of a message's content.
func (w *walker) spoken() ValueKind {
	switch {
	case !w.entry.Spoken():
		return ValueOther // a record of a request repeats what was said
	case w.entry.Kind == KindAssistant, w.entry.CompactSummary:
		return ValueAnswer
	}
	return w.sent()
}

// sent is the kind of what somebody, or else the client, sent to the model.
func (w *walker) sent() ValueKind {
	if w.prompt {
		return ValuePrompt
	}
	return ValueNote
}
