package sesskeep

import (
	"sesskeep/internal/jsonl"
)

// Message is the API message inside a user or assistant entry. An answer is
// spread over several entries, normally one block each, that share its ID.
type Message struct {
	ID         string
	Role       string
	Model      string
	StopReason string
	Usage      Usage // leaves out calls beside the answer: see [Entry.UsageRows]
	// Content is the raw JSON of the content: a string or an array of blocks.
	Content []byte

	side    []sideCall
	strange []string // unknown kinds of calls
}

// SyntheticModel stands where the client wrote the line of an answer itself: an
// API error, a placeholder after an unanswered prompt that was resumed, or what
// the model had said when it was interrupted (2.1.133 to 2.1.143).
const SyntheticModel = "<synthetic>"

// blocksOf decodes a content. Plain text becomes one text block.
func blocksOf(content []byte) []Block {
	if len(content) == 0 {
		return nil
	}
	var p jsonl.Parser
	p.Reset(content)
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
			m.Usage, m.side, m.strange = decodeUsage(p)
		case "content":
			m.Content = p.Raw()
		}
	}
	return m
}
