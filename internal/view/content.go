package view

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Content is a block of a message as in the API of the model. There are four
// types: text, thinking, tool_use and tool_result.
type Content struct {
	Type      string          `json:"type"`                  // text, thinking, tool_use or tool_result
	Text      *string         `json:"text,omitempty"`        // for text: the text
	Thinking  *string         `json:"thinking,omitempty"`    // for thinking: the thought
	ID        *string         `json:"id,omitempty"`          // for tool_use: id of the call
	Name      *string         `json:"name,omitempty"`        // for tool_use: name of the tool
	Input     json.RawMessage `json:"input,omitempty"`       // for tool_use: input of the tool, an object
	ToolUseID *string         `json:"tool_use_id,omitempty"` // for tool_result: id of the call
	Content   *string         `json:"content,omitempty"`     // for tool_result: output of the tool
	IsError   bool            `json:"is_error,omitempty"`    // for tool_result: true if the tool failed
}

// Contents returns the part as blocks. A part that is not a block of the model
// becomes text.
func (p *Part) Contents() []Content {
	switch {
	case p.Kind == CallPart && p.Call != nil:
		name := p.Call.Name()
		list := []Content{{Type: "tool_use", ID: &p.Call.ID, Name: &name, Input: p.Call.Arguments()}}
		if p.Call.State != Missing {
			list = append(list, p.Call.result())
		}
		return list
	case p.Call != nil: // a result without its call
		return []Content{p.Call.result()}
	case p.Kind == ThinkingPart:
		return []Content{{Type: "thinking", Thinking: &p.Text}}
	}
	text := p.Words()
	return []Content{{Type: "text", Text: &text}}
}

func (c *Call) result() Content {
	return Content{Type: "tool_result", ToolUseID: &c.ID, Content: &c.Output, IsError: !c.Succeeded()}
}

// Words returns the part as text, whatever its kind.
func (p *Part) Words() string {
	switch {
	case p.Text != "":
		return p.Text
	case p.Media != nil:
		return fmt.Sprintf("[%s %s]", p.Kind, p.Media.Type)
	case p.Kind == BoundaryPart:
		return "The conversation was compacted."
	}
	return p.Label
}

// Name returns the name by which the model calls the tool.
func (c *Call) Name() string {
	if c.Server == "" {
		return c.Tool
	}
	return "mcp__" + c.Server + "__" + c.Tool
}

// Arguments returns the input as a JSON object; empty if it is not one.
func (c *Call) Arguments() json.RawMessage {
	if in := bytes.TrimSpace(c.Input); len(in) > 0 && in[0] == '{' && json.Valid(in) {
		return in
	}
	return json.RawMessage("{}")
}

// Succeeded reports whether the call succeeded or may still succeed.
func (c *Call) Succeeded() bool { return c.State == OK || c.State == Launched || c.State == Missing }
