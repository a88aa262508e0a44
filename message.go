package sesskeep

import (
	"strings"

	"sesskeep/internal/jsonl"
)

// Message is the API message inside a user or assistant entry. An answer is
// spread over several entries, normally one block each, that share its ID.
type Message struct {
	ID         string
	Role       string
	Model      string
	StopReason string
	Usage      Usage
	Side       []SideCall // calls of models that Usage leaves out
	// Content is the raw JSON of the content: a string or an array of blocks.
	Content []byte

	strange []string // unknown kinds of calls
}

// SyntheticModel stands where the client wrote the line of an answer itself: an
// API error, a placeholder after an unanswered prompt that was resumed, or what
// the model had said when it was interrupted (2.1.133 to 2.1.143).
const SyntheticModel = "<synthetic>"

// placeholder is what the client writes for a prompt without an answer.
const placeholder = "No response requested."

// Placeholder reports whether a text of an answer is one that the client put in
// because there was none.
func (m *Message) Placeholder(text string) bool {
	return m != nil && m.Model == SyntheticModel && strings.TrimSpace(text) == placeholder
}

// Failure reports whether a text of an answer is an error of the API. Most of
// them are marked as such on their line.
func (m *Message) Failure(text string) bool {
	return m != nil && m.Model == SyntheticModel && strings.HasPrefix(text, "API Error")
}

// Blocks decodes the content. Plain text becomes one text block.
func (m *Message) Blocks() []Block {
	if m == nil || len(m.Content) == 0 {
		return nil
	}
	var p jsonl.Parser
	p.Reset(m.Content)
	return decodeContent(&p)
}

func (d *decoder) message() *Message {
	m := &Message{}
	p := &d.p
	for key := range p.Object() {
		switch string(key) {
		case "id":
			m.ID = d.intern(p.Bytes())
		case "role":
			m.Role = d.intern(p.Bytes())
		case "model":
			m.Model = d.intern(p.Bytes())
		case "stop_reason":
			m.StopReason = d.intern(p.Bytes())
		case "usage":
			m.Usage, m.Side, m.strange = decodeUsage(p)
		case "content":
			m.Content = p.Raw()
		}
	}
	return m
}
