package mockapi

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// block is as much of a block of a message as is needed.
type block struct {
	Type, Text, Thinking, Signature string
	Name                            string
	Input, Content                  json.RawMessage
}

// blocks reads the content of a message.
func blocks(content json.RawMessage) (list []block) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	_ = json.Unmarshal(content, &list) // what is no block is none
	return list
}

// signature is what the service signs thinking with: it depends on everything said before.
// What the client adds by itself, which it may add elsewhere the next time, is none of it.
func signature(said []said) string {
	h := sha256.New()
	for _, m := range said {
		for _, b := range blocks(m.Content) {
			if b.Type == "thinking" || b.Type == "text" && strings.HasPrefix(strings.TrimSpace(b.Text), "<system-reminder>") {
				continue
			}
			fmt.Fprintf(h, "%s\x00%s\x00%s\x00%s\x00%s\x00%s\n", m.Role, b.Type, b.Text, b.Name, b.Input, texts(b.Content))
		}
	}
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// texts is the result of a tool in words: the client may write it as a text or as blocks.
func texts(content json.RawMessage) string {
	var all []string
	for _, b := range blocks(content) {
		all = append(all, b.Text)
	}
	return strings.Join(all, "\n")
}

// refusal is why the service refuses a request; empty: it does not. It refuses thinking that
// stands behind other words than those after which it signed it, and messages that say nothing.
func (q *question) refusal() string {
	for i, m := range q.Messages {
		list := blocks(m.Content)
		if len(list) == 0 {
			return fmt.Sprintf("messages.%d: all messages must have non-empty content", i)
		}
		n := slices.IndexFunc(list, func(b block) bool { return b.Type == "thinking" })
		if n >= 0 && list[n].Signature != signature(q.Messages[:i]) {
			return fmt.Sprintf("messages.%d.content.%d: Invalid `signature` in `thinking` block", i, n)
		}
	}
	return ""
}
