package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The messages of a client. Fields that are not listed here are ignored.

// startRequest starts an agent, or resumes a session.
type startRequest struct {
	ProjectPath string `json:"projectPath"`
	SessionID   string `json:"sessionId"`
	Model       string `json:"model"`
	Helper      bool   `json:"helper"`
}

// inputRequest is a message of the user.
type inputRequest struct {
	Text         *string      `json:"text"`
	Images       []attachment `json:"images"`
	MessageID    string       `json:"messageId"`
	ThinkingMode string       `json:"thinkingMode"`
}

// attachment is a picture: its bytes, or the id of one that was uploaded.
type attachment struct {
	Type     string `json:"type"`
	Data     string `json:"data"`
	ID       string `json:"id"`
	MimeType string `json:"mimeType"`
}

type permissionResponse struct {
	ID     string `json:"id"`
	Choice Choice `json:"choice"`
}

type questionResponse struct {
	ID      string                `json:"id"`
	Answers map[string]answerText `json:"answers"`
}

// answerText is an answer to a question: a text, or the labels of several options.
type answerText string

func (a *answerText) UnmarshalJSON(data []byte) error {
	var several []string
	if json.Unmarshal(data, &several) == nil {
		*a = answerText(joinLabels(several))
		return nil
	}
	return json.Unmarshal(data, (*string)(a))
}

// joinLabels joins labels as the client joins them.
func joinLabels(labels []string) string {
	var b bytes.Buffer
	for i, label := range labels {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(label)
	}
	return b.String()
}

type interruptRequest struct{}

type stopRequest struct{}

type cancelQueued struct{}

type pingRequest struct{}

type pongRequest struct{}

type subscribeRequest struct {
	ProjectPath string `json:"projectPath"`
}

type setModel struct {
	Model string `json:"model"`
}

type setMode struct {
	Mode string `json:"mode"`
}

type retryRequest struct {
	MessageID string `json:"messageId"`
}

type reconnectRequest struct {
	AgentID       string `json:"agentId"`
	LastMessageID string `json:"lastMessageId"`
}

// decoders make the message of each type.
var decoders = map[string]func([]byte) (any, error){
	"start":               decode[startRequest],
	"input":               decode[inputRequest],
	"permission_response": decode[permissionResponse],
	"question_response":   decode[questionResponse],
	"interrupt":           decode[interruptRequest],
	"stop":                decode[stopRequest],
	"cancel_queued":       decode[cancelQueued],
	"ping":                decode[pingRequest],
	"pong":                decode[pongRequest],
	"subscribe_sessions":  decode[subscribeRequest],
	"set_model":           decode[setModel],
	"set_permission_mode": decode[setMode],
	"retry":               decode[retryRequest],
	"reconnect":           decode[reconnectRequest],
}

func decode[T any](data []byte) (any, error) {
	var value T
	err := json.Unmarshal(data, &value)
	return value, err
}

// decodeRequest decodes a message of a client.
func decodeRequest(data []byte) (any, *Fault) {
	var is struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &is); err != nil {
		return nil, invalid("the message is not a JSON object with a type")
	}
	decode, known := decoders[is.Type]
	if !known {
		return nil, invalid(fmt.Sprintf("there is no message of the type %.40q", is.Type))
	}
	value, err := decode(data)
	if err != nil {
		return nil, invalid(fmt.Sprintf("the message %s: %v", is.Type, err))
	}
	return value, nil
}
