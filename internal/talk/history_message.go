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
	ID        string         `json:"id"`                   // id of the message
	Timestamp stamp.Time     `json:"timestamp"`            // when it was written
	Message   StreamMessage  `json:"message"`              // the message
	Raw       []view.Content `json:"rawContent,omitempty"` // content blocks as the model's API has them
}

// StreamMessage is a message as clients of cli-bridge read it. Its fields depend on its
// type.
type StreamMessage struct {
	Type             string          `json:"type" enum:"user,assistant,thinking,tool_use,tool_result,system" doc:"Type of the message"`
	Content          *string         `json:"content,omitempty"`          // text of the message
	ID               *string         `json:"id,omitempty"`               // id of the call, for a call and for a result without one
	Name             *string         `json:"name,omitempty"`             // for a call: name of the tool
	Input            json.RawMessage `json:"input,omitempty"`            // for a call: input of the tool
	InputDescription string          `json:"inputDescription,omitempty"` // for a call: its input in one line
	Result           *StreamResult   `json:"result,omitempty"`           // for a call: its result
	Tool             *string         `json:"tool,omitempty"`             // for a result without its call: name of the tool
	Output           *string         `json:"output,omitempty"`           // for a result without its call: output of the tool
	Success          *bool           `json:"success,omitempty"`          // for a result without its call: true if the tool succeeded
	IsError          bool            `json:"isError,omitempty"`          // for a result without its call: true if the tool failed
}

// StreamResult is the result of a call.
type StreamResult struct {
	Output  string `json:"output"`  // output of the tool
	Success bool   `json:"success"` // true if the tool succeeded
	IsError bool   `json:"isError"` // true if the tool failed
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
