package launch

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
)

// The lines that we write to the client.

// fields is a JSON object.
type fields map[string]any

// encodeLine returns v as JSON with a newline. Callers have validated raw values.
func encodeLine(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("launch: encode %T: %v", v, err))
	}
	return b.Bytes()
}

func encodePrompt(m Message) []byte {
	return encodeLine(fields{
		"type": "user", "uuid": m.ID, "parent_tool_use_id": nil,
		"message": fields{"role": "user", "content": content(m)},
	})
}

// content returns a message as the model's API has it: its text, or blocks.
func content(m Message) any {
	if len(m.Images) == 0 {
		return m.Text
	}
	var blocks []fields
	for _, i := range m.Images {
		blocks = append(blocks, fields{"type": "image", "source": fields{"type": "base64", "media_type": i.Type, "data": i.Data}})
	}
	if m.Text != "" {
		blocks = append(blocks, fields{"type": "text", "text": m.Text})
	}
	return blocks
}

func encodeRequest(id string, request fields) []byte {
	return encodeLine(fields{"type": "control_request", "request_id": id, "request": request})
}

func encodeDenial(id, message string) []byte {
	return encodeResponse(id, fields{"behavior": "deny", "message": message})
}

func encodeResponse(id string, response fields) []byte {
	return encodeLine(fields{"type": "control_response", "response": fields{"subtype": "success", "request_id": id, "response": response}})
}

func encodeRefusal(id, why string) []byte {
	return encodeLine(fields{"type": "control_response", "response": fields{"subtype": "error", "request_id": id, "error": why}})
}

// NewID returns a random UUID.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
