package runs

import (
	"encoding/json"
	"strings"

	"sesskeep/internal/holder"
	"sesskeep/internal/launch"
)

// SaidKind says what a run said or did.
type SaidKind int

// The kinds. Pieces of a text come before the whole text.
const (
	SaidPrompt SaidKind = iota // the client accepted a message of the user
	SaidPiece                  // of a text that is being written
	SaidText                   // a whole text
	SaidTool                   // a tool is called
)

// Said is one thing that a run said or did.
type Said struct {
	Kind    SaidKind
	Message string // id of the message that it is part of
	Text    string // of a tool: its input, or the questions that it asks
	Tool    string
}

// saidLine is the part of a line of output that is shown.
type saidLine struct {
	Type    string `json:"type"`
	Parent  string `json:"parent_tool_use_id"`
	Replay  bool   `json:"isReplay"`
	Message struct {
		ID      string          `json:"id"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Event struct {
		Delta struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"delta"`
	} `json:"event"`
	MessageID string `json:"api_message_id"`
}

type saidBlock struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// SaidIn returns what a frame of a run's output says, without what sub-agents say.
func SaidIn(f *holder.Frame) []Said {
	raw := f.Line
	if raw == nil {
		raw = f.Piece
	}
	var l saidLine
	if json.Unmarshal(raw, &l) != nil || l.Parent != "" {
		return nil
	}
	switch {
	case l.Type == "stream_event" && l.Event.Delta.Type == "text_delta":
		return []Said{{Kind: SaidPiece, Message: l.MessageID, Text: l.Event.Delta.Text}}
	case l.Type == "assistant":
		return l.blocks(SaidText)
	case l.Type == "user" && l.Replay:
		return l.blocks(SaidPrompt)
	}
	return nil
}

func (l *saidLine) blocks(kind SaidKind) []Said {
	var text string
	if json.Unmarshal(l.Message.Content, &text) == nil {
		return []Said{{Kind: kind, Message: l.Message.ID, Text: text}}
	}
	var blocks []saidBlock
	if json.Unmarshal(l.Message.Content, &blocks) != nil {
		return nil
	}
	var list []Said
	for _, b := range blocks {
		switch b.Type {
		case "text":
			list = append(list, Said{Kind: kind, Message: l.Message.ID, Text: b.Text})
		case "tool_use":
			list = append(list, Said{Kind: SaidTool, Message: l.Message.ID, Tool: b.Name, Text: b.input()})
		}
	}
	return list
}

// input returns the input of a tool: the texts of questions, else the JSON.
func (b *saidBlock) input() string {
	var texts []string
	for _, q := range launch.QuestionsOf(b.Name, b.Input) {
		texts = append(texts, q.Text)
	}
	if len(texts) == 0 {
		return string(b.Input)
	}
	return strings.Join(texts, " ")
}
