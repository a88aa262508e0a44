package export

import (
	"encoding/json"
	"fmt"
	"time"

	"sesskeep"
	"sesskeep/internal/view"
)

// jsonStyle is a document for programs: {"session":{…},"messages":[…]}, as
// clients of cli-bridge read it, with our parts beside.
type jsonStyle struct {
	more bool   // a message was written before
	leaf string // leaf of the conversation, if there are several
}

// message is a part of a conversation.
type message struct {
	Type      string        `json:"type"` // user, assistant or system
	Timestamp string        `json:"timestamp,omitempty"`
	Content   any           `json:"content"` // text, or a list of blocks
	Leaf      string        `json:"leaf,omitempty"`
	Depth     int           `json:"depth,omitempty"` // how many agents deep; 0: in the session itself
	Part      view.PartJSON `json:"part"`
}

func (j *jsonStyle) start(d *document, h head) error {
	head, err := json.Marshal(struct {
		ID        string `json:"id"`
		AgentID   string `json:"agentId,omitempty"`
		Title     string `json:"title,omitempty"`
		Project   string `json:"projectPath,omitempty"`
		CreatedAt string `json:"createdAt,omitempty"`
		Last      string `json:"lastActivityAt,omitempty"`
		Stretch   string `json:"stretch,omitempty"` // the part of the conversation that follows
	}{h.Session, h.Agent, h.Title, h.Project, when(h.Began), when(h.Ended), h.Stretch})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(d.out, `{"redacted":%t,"session":%s,"messages":[`, d.o.Redact != nil, head)
	return err
}

// when returns a time for programs, or "" for the zero time.
func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

func (j *jsonStyle) conversation(_ *document, _, _ int, leaf string) error {
	j.leaf = leaf
	return nil
}

func (j *jsonStyle) part(d *document, p *view.Part) error {
	m := message{Type: speaker(p), Timestamp: when(p.Time), Content: content(p), Leaf: j.leaf, Depth: d.depth, Part: p.JSON()}
	if d.o.Blocks {
		m.Content = p.Contents()
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if j.more {
		d.out.WriteByte(',')
	}
	j.more = true
	d.out.WriteByte('\n')
	_, err = d.out.Write(data)
	return err
}

func speaker(p *view.Part) string {
	switch p.Kind {
	case view.PromptPart, view.ImagePart, view.DocumentPart:
		return "user"
	case view.TextPart, view.ThinkingPart, view.CallPart:
		return "assistant"
	}
	return "system"
}

// content returns a part as text.
func content(p *view.Part) string {
	if p.Call != nil {
		return oneLine(p.Call.Tool + " " + p.Call.Summary)
	}
	return p.Text
}

func (j *jsonStyle) agent(*document, sesskeep.AgentID, bool) error { return nil }

func (j *jsonStyle) end(d *document) error {
	_, err := d.out.WriteString("\n]}\n")
	return err
}
