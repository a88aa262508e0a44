package launch

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
)

// What we write to the client, each a line.

// fields is a JSON object.
type fields map[string]any

// line is the JSON of a value and a newline. Only values of this package come
// here; raw ones were looked at before.
func line(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("launch: encode %T: %v", v, err))
	}
	return b.Bytes()
}

func sayPrompt(m Message) []byte {
	return line(fields{
		"type": "user", "uuid": m.ID, "parent_tool_use_id": nil,
		"message": fields{"role": "user", "content": m.Text},
	})
}

func sayRequest(id string, request fields) []byte {
	return line(fields{"type": "control_request", "request_id": id, "request": request})
}

func sayDeny(id, message string) []byte {
	return sayResponse(id, fields{"behavior": "deny", "message": message})
}

func sayResponse(id string, response fields) []byte {
	return line(fields{"type": "control_response", "response": fields{"subtype": "success", "request_id": id, "response": response}})
}

func sayRefusal(id, why string) []byte {
	return line(fields{"type": "control_response", "response": fields{"subtype": "error", "request_id": id, "error": why}})
}

// NewID makes a UUID that nobody has.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
