package view

import (
	"bytes"
	"strings"
	"time"

	"sesskeep"
)

// Options configure how parts are built.
type Options struct {
	Cwd string // paths are shown relative to it; empty: to the cwd of each entry
}

// Turn builds the parts of one or more turns from their entries in file order. It
// joins each result to its call, wherever the two are.
func Turn(entries []sesskeep.Entry, o Options) []Part {
	b := builder{entries: entries, options: o, calls: map[string]int{}, resolved: map[string]bool{}}
	for i := range entries {
		b.add(&entries[i])
	}
	b.linkAgents()
	return b.parts
}

// builder collects the parts of a turn.
type builder struct {
	entries  []sesskeep.Entry
	options  Options
	parts    []Part
	calls    map[string]int    // id of a call → its part
	resolved map[string]bool   // ids of calls that have their result
	said     said              // what entries said
	tasks    []notice          // may name the agent that a call started
	early    map[string]*early // every call by its id; created when a result comes first
	at       int               // number of the block being read, counting from 1; 0: none
}

// early is a call whose result may be written before it. The entry is nil until
// such a result is found.
type early struct {
	entry    *sesskeep.Entry // of the result
	result   sesskeep.Block
	position Position
	also     []string // copies of the result's line
}

func (b *builder) add(e *sesskeep.Entry) {
	switch {
	case e.Spoken():
		b.spoken(e)
	case e.Kind == sesskeep.KindSystem:
		b.system(e)
	case e.Kind == sesskeep.KindAttachment:
		b.attachment(e)
	case e.Kind == sesskeep.KindProgress:
		b.progress(e)
	case e.Kind == sesskeep.KindQueueOp && e.Subtype == "enqueue":
		b.queued(e)
	case !e.Kind.Known():
		b.part(e, Part{Kind: UnknownPart, Label: string(e.Kind), Text: string(e.Raw)})
	default:
		b.part(e, Part{Kind: MetaPart, Label: string(e.Kind), Text: e.Text})
	}
}

// part adds a part with the fields that every part gets from its entry.
func (b *builder) part(e *sesskeep.Entry, p Part) {
	p.Time, p.UUID, p.Line, p.Position = e.Time, e.UUID, e.Line, b.position(e)
	if e.Kind == sesskeep.KindAssistant && e.Message != nil && e.Message.Model != sesskeep.SyntheticModel {
		p.Model = e.Message.Model
	}
	b.parts = append(b.parts, p)
}

// position returns the position of the block being read.
func (b *builder) position(e *sesskeep.Entry) Position {
	return Position{UUID: e.UUID, Line: e.Line, Block: b.at}
}

func (b *builder) spoken(e *sesskeep.Entry) {
	if i, ok := b.said.part(e); ok {
		b.parts[i].Also = append(b.parts[i].Also, e.UUID)
		return
	}
	first := len(b.parts)
	blocks := e.Blocks()
	s := newSpeech(e, blocks)
	for i, block := range blocks {
		b.at = i + 1
		if i, ok := b.block(&s, block); ok {
			first = min(first, i)
		}
	}
	b.at = 0
	if len(blocks) == 0 {
		b.wordless(e)
	}
	if first < len(b.parts) { // otherwise it waits for its call
		b.said.add(e, first)
	}
}

// wordless adds an entry whose message has no blocks. Empty content adds nothing;
// content in an unknown form is shown unchanged.
func (b *builder) wordless(e *sesskeep.Entry) {
	if e.Message != nil {
		switch string(bytes.TrimSpace(e.Message.Content)) {
		case "[]", "null":
			b.part(e, Part{Kind: MetaPart, Label: "empty"})
			return
		}
	}
	b.part(e, Part{Kind: UnknownPart, Label: string(e.Kind), Text: string(e.Raw)})
}

// speech is an entry while its blocks are read.
type speech struct {
	entry  *sesskeep.Entry
	prompt bool
	single bool // it has only one text
	beside bool // plain texts in it are a person's, next to what an editor added
}

func newSpeech(e *sesskeep.Entry, blocks []sesskeep.Block) speech {
	s := speech{entry: e, prompt: e.IsPrompt()}
	texts, editor, result := 0, false, false
	for _, b := range blocks {
		switch b.Kind {
		case sesskeep.BlockToolResult:
			result = true
		case sesskeep.BlockText:
			texts++
			editor = editor || strings.HasPrefix(openTag(b.Text), "ide_")
		}
	}
	s.single = texts == 1
	// If an editor's text comes first, the whole entry looks as if no person had
	// typed it.
	human := !e.Meta && !e.CompactSummary && (e.Origin == "" || e.Origin == "human")
	s.beside = editor && !result && human
	return s
}

// block adds the part of one block, or returns the part that it was joined to.
func (b *builder) block(s *speech, block sesskeep.Block) (int, bool) {
	e := s.entry
	switch k := block.Kind; {
	case k == sesskeep.BlockText && e.Kind == sesskeep.KindAssistant:
		b.answer(e, block.Text)
	case k == sesskeep.BlockText:
		b.userText(s, block.Text)
	case k == sesskeep.BlockThinking || k == sesskeep.BlockRedacted:
		b.thinking(e, block)
	case k == sesskeep.BlockImage || k == sesskeep.BlockDocument:
		b.media(e, block)
	case isCall(k):
		b.call(e, block)
	case k == sesskeep.BlockToolResult || block.ServerTool():
		return b.result(e, block)
	default:
		b.part(e, Part{Kind: UnknownPart, Label: string(k), Text: string(block.Raw)})
	}
	return 0, false
}

func isCall(k sesskeep.BlockKind) bool {
	return k == sesskeep.BlockToolUse || k == "server_tool_use" || k == "mcp_tool_use"
}

// placeholder is what the client writes for a prompt without an answer.
const placeholder = "No response requested."

func (b *builder) answer(e *sesskeep.Entry, text string) {
	byClient := e.Message != nil && e.Message.Model == sesskeep.SyntheticModel
	switch {
	case e.APIError, byClient && strings.HasPrefix(text, "API Error"): // most of them are marked as such
		b.part(e, Part{Kind: NoticePart, Label: "error", Text: text, Failed: true})
	case byClient && strings.TrimSpace(text) == placeholder:
		b.part(e, Part{Kind: MetaPart, Label: "synthetic", Text: text})
	case strings.TrimSpace(text) == "" && !e.Aborted:
		b.part(e, Part{Kind: MetaPart, Label: "empty"})
	default:
		b.part(e, Part{Kind: TextPart, Text: text, Aborted: e.Aborted || byClient})
	}
}

func (b *builder) thinking(e *sesskeep.Entry, block sesskeep.Block) {
	p := Part{Kind: ThinkingPart, Text: block.Text}
	if ms, ok := numberOf(fieldOf(e.Raw, "thinkingDurationMs")); ok {
		p.Took = time.Duration(ms * float64(time.Millisecond))
	}
	if block.Withheld() {
		p.Withheld = block.Signature
	} else if strings.TrimSpace(block.Text) == "" {
		p = Part{Kind: MetaPart, Label: "empty"}
	}
	b.part(e, p)
}

func (b *builder) media(e *sesskeep.Entry, block sesskeep.Block) {
	media := newMedia(block, b.position(e))
	p := Part{Kind: ImagePart, Media: &media}
	if block.Kind == sesskeep.BlockDocument {
		p.Kind = DocumentPart
		p.Text = stringOf(fieldOf(block.Raw, "title"))
	}
	b.part(e, p)
}

// newMedia returns an image or a document without its bytes.
func newMedia(block sesskeep.Block, at Position) Media {
	from := block.Source
	m := Media{Bytes: from.Encoded, URL: from.URL, Position: at}
	_, m.Type, _ = strings.Cut(from.MediaType, "/")
	if from.Type != "base64" {
		return m
	}
	m.Bytes = from.Encoded / 4 * 3
	if image, ok := readBase64(block.Data()); ok && image.Shown() {
		m.Type, m.Width, m.Height = image.Type, image.Width, image.Height
	}
	return m
}

func (b *builder) call(e *sesskeep.Entry, block sesskeep.Block) {
	cwd := b.options.Cwd
	if cwd == "" {
		cwd = e.Cwd
	}
	first := false
	if _, ok := b.calls[block.ID]; !ok && block.ID != "" {
		b.calls[block.ID], first = len(b.parts), true
	}
	b.part(e, Part{Kind: CallPart, Call: newCall(block, cwd)})
	if w := b.early[block.ID]; first && w != nil && w.entry != nil {
		i := b.joinResult(w.entry, w.result, w.position)
		b.parts[i].Also = append(b.parts[i].Also, w.also...)
		b.said.add(w.entry, i)
	}
}

// joinResult adds a result to its call and returns the call's part.
func (b *builder) joinResult(e *sesskeep.Entry, block sesskeep.Block, at Position) int {
	i := b.calls[block.ID]
	b.resolved[block.ID] = true
	p := &b.parts[i]
	p.Call.setResult(e, block, at, p.Time)
	if e.UUID != p.UUID {
		p.Also = append(p.Also, e.UUID)
	}
	return i
}

// result joins a result to its call, also to one that comes later: some clients
// write the call last. A result without a call, or a second one, becomes a notice.
func (b *builder) result(e *sesskeep.Entry, block sesskeep.Block) (int, bool) {
	_, called := b.calls[block.ID]
	if called && !b.resolved[block.ID] {
		return b.joinResult(e, block, b.position(e)), true
	}
	if !called && b.keepResult(e, block) {
		return 0, false
	}
	c := &Call{ID: block.ID}
	c.setResult(e, block, b.position(e), time.Time{})
	b.part(e, Part{Kind: NoticePart, Label: "result", Text: c.Output, Failed: block.Error, Call: c})
	return 0, false
}

// keepResult keeps a result until its call is read, and reports whether there is a
// call.
func (b *builder) keepResult(e *sesskeep.Entry, block sesskeep.Block) bool {
	if b.early == nil {
		b.early = map[string]*early{}
		for i := range b.entries {
			if b.entries[i].Kind != sesskeep.KindAssistant {
				continue
			}
			for _, c := range b.entries[i].Blocks() {
				if isCall(c.Kind) && c.ID != "" {
					b.early[c.ID] = &early{}
				}
			}
		}
	}
	w := b.early[block.ID]
	switch {
	case w == nil:
		return false
	case w.entry == nil:
		w.entry, w.result, w.position = e, block, b.position(e)
	default:
		w.also = append(w.also, e.UUID)
	}
	return true
}

// linkAgents sets the agents of calls whose own result does not name them.
func (b *builder) linkAgents() {
	for _, n := range b.tasks {
		i, ok := b.calls[n.call]
		if ok && b.parts[i].Call.StartsAgent() && b.parts[i].Call.Agent == "" {
			b.parts[i].Call.Agent = n.agent
		}
	}
}
