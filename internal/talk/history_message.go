package talk

import (
	"cmp"
	"encoding/json"
	"time"

	"sesskeep"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// HistoryMessage is a message of a MessagePage.
type HistoryMessage struct {
	ID        string         `json:"id"`
	Timestamp stamp.Time     `json:"timestamp"`
	Message   StreamMessage  `json:"message"`
	Raw       []view.Content `json:"rawContent,omitempty"`
}

// StreamMessage is a message as clients of cli-bridge read it. Its fields depend on its
// type.
type StreamMessage struct {
	Type    string  `json:"type" enum:"user,assistant,thinking,tool_use,tool_result,system"`
	Content *string `json:"content,omitempty"`
	// Of a call.
	ID               *string         `json:"id,omitempty"`
	Name             *string         `json:"name,omitempty"`
	Input            json.RawMessage `json:"input,omitempty"`
	InputDescription string          `json:"inputDescription,omitempty"`
	Result           *StreamResult   `json:"result,omitempty"`
	// Of a result without a call.
	Tool    *string `json:"tool,omitempty"`
	Output  *string `json:"output,omitempty"`
	Success *bool   `json:"success,omitempty"`
	IsError bool    `json:"isError,omitempty"`
}

// StreamResult is the result of a call.
type StreamResult struct {
	Output  string `json:"output"`
	Success bool   `json:"success"`
	IsError bool   `json:"isError"`
}

func historyMessage(m *reading.Message, d *sesskeep.Digest, blocks bool) HistoryMessage {
	when := m.Part.Time
	if when.IsZero() {
		when = d.Created
	}
	if when.IsZero() {
		when = time.Unix(0, 0)
	}
	out := HistoryMessage{ID: m.ID, Timestamp: stamp.Time{Time: when}, Message: streamMessage(m)}
	if blocks {
		out.Raw = m.Part.Contents()
	}
	return out
}

func streamMessage(m *reading.Message) StreamMessage {
	call := m.Part.Call
	switch m.Kind {
	case reading.CallMessage:
		name := call.Name()
		out := StreamMessage{Type: "tool_use", ID: &call.ID, Name: &name, Input: call.Arguments(), InputDescription: call.Summary}
		if call.State != view.Missing {
			out.Result = &StreamResult{Output: call.Output, Success: call.Succeeded(), IsError: !call.Succeeded()}
		}
		return out
	case reading.ResultMessage:
		tool, ok := cmp.Or(call.Tool, "unknown"), call.Succeeded()
		return StreamMessage{Type: "tool_result", ID: &call.ID, Tool: &tool, Output: &call.Output, Success: &ok, IsError: !ok}
	}
	text := m.Part.Words()
	return StreamMessage{Type: streamType(m.Kind), Content: &text}
}

func streamType(kind reading.MessageKind) string {
	for word, k := range messageKinds {
		if k == kind {
			return word
		}
	}
	return "system"
}
