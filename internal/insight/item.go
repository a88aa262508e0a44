package insight

import (
	"encoding/json"
	"strings"

	"sesskeep"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// How much of a context something takes, before it shares what the API counted.
const (
	bytesPerToken = 4
	imageTokens   = 1500 // of an image or a document, whatever its size
)

// itemsOf are what a line puts into the context of the answers after it.
func (f *filling) itemsOf(link *sesskeep.Link, e *sesskeep.Entry) (list []*contextItem) {
	item := func(kind string, length float64) *contextItem {
		one := &contextItem{ContextItem: ContextItem{Kind: kind, Time: stamp.Time{Time: e.Time}, Address: f.address(e.UUID)}, uuid: e.UUID, length: length, spoken: e.Kind == sesskeep.KindAssistant && kind != "results"}
		list = append(list, one)
		return one
	}
	switch {
	case e.Kind == sesskeep.KindAttachment:
		kind, text, file, length := attached(e)
		if kind != "" && length > 0 {
			one := item(kind, length)
			if one.Text, one.File = text, file; kind == "results" {
				one.Tool = "Read"
			}
		}
	case e.Message == nil || e.Message.Model == sesskeep.SyntheticModel:
	case e.Kind == sesskeep.KindAssistant:
		f.noteCalls(e)
		for _, b := range e.Blocks() {
			switch {
			case b.Kind == sesskeep.BlockThinking || b.Kind == sesskeep.BlockRedacted:
				item("thinking", float64(len(b.Text)+b.Signature)/bytesPerToken).Text = short(b.Text)
			case b.ServerTool() && strings.HasSuffix(string(b.Kind), "_result"):
				one := item("results", lengthOf(b))
				one.Tool = strings.TrimSuffix(string(b.Kind), "_tool_result")
			case b.Name != "":
				one := item("answers", float64(len(b.Input)+len(b.Name))/bytesPerToken)
				call := f.calls[b.ID]
				one.Tool, one.File, one.Text = call.tool, call.file, call.text
			default:
				item("answers", lengthOf(b)).Text = short(b.Text)
			}
		}
	case e.Kind == sesskeep.KindUser:
		for _, b := range e.Blocks() {
			switch {
			case e.CompactSummary:
				item("summary", lengthOf(b)).Text = "summary of a compaction"
			case b.Kind == sesskeep.BlockToolResult:
				one, call := item("results", lengthOf(b)), f.calls[b.ID]
				one.Tool, one.File, one.Text = call.tool, call.file, call.text
			case link.Role == sesskeep.RolePrompt || link.Sent():
				item("prompts", lengthOf(b)).Text = short(b.Text)
			default:
				item("system", lengthOf(b)).Text = short(b.Text)
			}
		}
	}
	return list
}

// noteCalls notes what the calls of an answer are for.
func (f *filling) noteCalls(e *sesskeep.Entry) {
	for _, part := range view.Turn([]sesskeep.Entry{*e}, view.Options{}) {
		if c := part.Call; part.Kind == view.CallPart && c != nil {
			tool := c.Tool
			if c.Server != "" {
				tool = "mcp__" + c.Server + "__" + c.Tool
			}
			f.calls[c.ID] = madeFor{tool, c.File, short(c.Summary)}
		}
	}
}

// lengthOf is the length of a block in tokens, more or less.
func lengthOf(b sesskeep.Block) (n float64) {
	switch {
	case b.Kind == sesskeep.BlockImage || b.Kind == sesskeep.BlockDocument:
		return imageTokens
	case b.Text != "" || b.Kind == sesskeep.BlockText:
		return float64(len(b.Text)) / bytesPerToken
	case len(b.Content) > 0:
		for _, part := range b.Content {
			n += lengthOf(part)
		}
		return n
	case b.Kind == sesskeep.BlockToolResult:
		return 0
	}
	return float64(len(b.Raw)) / bytesPerToken
}

// attachment is what the lines of attachments have.
type attachment struct {
	Attachment struct {
		Type     string `json:"type"`
		Filename string `json:"filename"`
		Path     string `json:"path"`
		Files    []struct {
			Path string `json:"path"`
		} `json:"files"`
	} `json:"attachment"`
	Rendered []struct {
		Content json.RawMessage `json:"content"`
	} `json:"rendered"`
}

// attachedKinds are the kinds of attachments that are no remark of the client.
var attachedKinds = map[string]string{
	"instructions": "memory", "nested_memory": "memory", "relevant_memories": "memory",
	"file": "results", "directory": "results", "edited_text_file": "results", "pdf_reference": "results", "compact_file_reference": "results",
	"selected_lines_in_ide": "prompts", "opened_file_in_ide": "prompts", "queued_command": "prompts",
	"skill_listing": "tools", "agent_listing_delta": "tools", "deferred_tools_delta": "tools", "invoked_skills": "tools", "dynamic_skill": "tools",
	"mcp_instructions_delta": "mcp",
}

// attached says what an attachment puts into the context. What a client rendered was sent;
// older ones rendered nothing, and of theirs the known kinds count.
func attached(e *sesskeep.Entry) (kind, text, file string, length float64) {
	var a attachment
	if e.Subtype == "prompt_snapshot" || json.Unmarshal(e.Raw, &a) != nil {
		return "", "", "", 0
	}
	kind = attachedKinds[e.Subtype]
	switch {
	case len(a.Rendered) > 0:
		for _, r := range a.Rendered {
			length += float64(len(r.Content)) / bytesPerToken
		}
		if kind == "" {
			kind = "system"
		}
	case kind != "":
		length = float64(len(e.Raw)) / bytesPerToken
	}
	if file = a.Attachment.Filename + a.Attachment.Path; len(a.Attachment.Files) > 0 {
		file = a.Attachment.Files[0].Path
	}
	text = strings.ReplaceAll(e.Subtype, "_", " ")
	if kind == "memory" && file != "" || kind == "results" {
		text = file
	}
	return kind, text, file, length
}

// lengths are those of what stands before all messages.
type lengths struct{ system, tools, mcp float64 }

// snapshotOf reads what a client noted of its system prompt and tools.
func snapshotOf(raw []byte) (l lengths) {
	var line struct {
		Attachment struct {
			System []string          `json:"systemPrompt"`
			Tools  []json.RawMessage `json:"tools"`
		} `json:"attachment"`
	}
	if json.Unmarshal(raw, &line) != nil {
		return l
	}
	for _, text := range line.Attachment.System {
		l.system += float64(len(text))
	}
	for _, raw := range line.Attachment.Tools {
		var tool struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(raw, &tool) == nil && strings.HasPrefix(tool.Name, "mcp__") {
			l.mcp += float64(len(raw))
		} else {
			l.tools += float64(len(raw))
		}
	}
	return l
}

// longestText is how much of a text names it.
const longestText = 160

// short is the start of a text, on one line.
func short(text string) string {
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "")
	}
	return sesskeep.OneLine(text)
}
