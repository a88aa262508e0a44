package bridge

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"sesskeep/internal/launch"
)

// reader works out what a log says, line by line. Equal logs give equal messages.
type reader struct {
	tools   map[string]string // names of the calls without a result, by id
	running []string          // their ids, oldest first
	agents  map[string]bool   // which of them are sub-agents
	usage   *tokens           // of the latest message of the model
}

func newReader() *reader {
	return &reader{tools: map[string]string{}, agents: map[string]bool{}}
}

// logLine is the part of a line of the log that is streamed.
type logLine struct {
	Type      string    `json:"type"`
	Subtype   string    `json:"subtype"`
	UUID      string    `json:"uuid"`
	Timestamp time.Time `json:"timestamp"`
	Parent    string    `json:"parent_tool_use_id"`
	Replay    bool      `json:"isReplay"`
	Model     string    `json:"model"`
	Dir       string    `json:"cwd"`
	Message   struct {
		Content json.RawMessage `json:"content"`
		Usage   *tokens         `json:"usage"`
	} `json:"message"`
	Failed bool              `json:"is_error"`
	Result string            `json:"result"`
	Errors []string          `json:"errors"`
	Reason string            `json:"terminal_reason"`
	Cost   float64           `json:"total_cost_usd"`
	Usage  *tokens           `json:"usage"`
	Models map[string]window `json:"modelUsage"`
	// of tool_progress
	ToolID   string  `json:"tool_use_id"`
	ToolName string  `json:"tool_name"`
	Elapsed  float64 `json:"elapsed_time_seconds"`
	// of the reply to a request
	Response struct {
		Subtype string `json:"subtype"`
		Error   string `json:"error"`
	} `json:"response"`
}

type tokens struct {
	Input       int64 `json:"input_tokens"`
	Output      int64 `json:"output_tokens"`
	CacheRead   int64 `json:"cache_read_input_tokens"`
	CacheCreate int64 `json:"cache_creation_input_tokens"`
}

type window struct {
	Context int64 `json:"contextWindow"`
}

// block is a part of the content of a message.
type block struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	ToolID   string          `json:"tool_use_id"`
	Content  json.RawMessage `json:"content"`
	IsError  bool            `json:"is_error"`
}

// read returns what a line says, in order, without what sub-agents say.
func (r *reader) read(l *logLine) []event {
	if l.Parent != "" {
		return nil
	}
	switch l.Type {
	case "assistant":
		if l.Message.Usage != nil {
			r.usage = l.Message.Usage
		}
		return r.answer(blocksOf(l.Message.Content))
	case "user":
		return r.user(l)
	case "result":
		return r.result(l)
	case "tool_progress":
		return []event{progressMessage{ID: l.ToolID, Tool: l.ToolName, Elapsed: l.Elapsed}}
	case "system":
		return r.system(l)
	}
	return nil
}

// blocksOf returns the blocks of a content, which can be a text.
func blocksOf(raw json.RawMessage) (list []block) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	_ = json.Unmarshal(raw, &list) // a content of another shape says nothing
	return list
}

func (r *reader) answer(blocks []block) (list []event) {
	for i := range blocks {
		switch b := &blocks[i]; b.Type {
		case "text":
			list = append(list, assistantMessage{Content: b.Text})
		case "thinking":
			list = append(list, thinkingMessage{Content: b.Thinking, Thinking: b.Thinking})
		case "tool_use":
			list = append(list, r.call(b)...)
		}
	}
	return list
}

// call starts a call.
func (r *reader) call(b *block) []event {
	if !isObject(b.Input) {
		b.Input = json.RawMessage("{}")
	}
	if _, again := r.tools[b.ID]; !again {
		r.running = append(r.running, b.ID)
	}
	r.tools[b.ID] = b.Name
	list := []event{toolUse{ID: b.ID, Name: b.Name, Input: b.Input}}
	if b.Name == "Task" || b.Name == "Agent" {
		var in struct{ Description string }
		_ = json.Unmarshal(b.Input, &in)
		r.agents[b.ID] = true
		list = append(list, subagentStart{ID: b.ID, Description: in.Description})
	}
	return list
}

func isObject(raw json.RawMessage) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(raw, &fields) == nil && fields != nil
}

// user returns the prompt that the client accepted, or the results of calls.
func (r *reader) user(l *logLine) (list []event) {
	blocks := blocksOf(l.Message.Content)
	if l.Replay {
		return []event{userMessage{Content: textOf(blocks)}}
	}
	for i := range blocks {
		if blocks[i].Type == "tool_result" {
			list = append(list, r.end(&blocks[i])...)
		}
	}
	return list
}

// textOf joins the texts of blocks, and says where there is something else.
func textOf(blocks []block) string {
	var parts []string
	for _, b := range blocks {
		switch b.Type {
		case "text":
			parts = append(parts, b.Text)
		case "":
		default:
			parts = append(parts, "["+b.Type+"]")
		}
	}
	return strings.Join(parts, "\n")
}

// summaryLength bounds what is said of the result of a sub-agent, in characters.
const summaryLength = 200

// maxOutput bounds the output of a tool, in bytes. All of it is in the history.
const maxOutput = 1 << 20

// end returns the result of a call.
func (r *reader) end(b *block) []event {
	name, known := r.tools[b.ToolID]
	if !known {
		name = "unknown"
	}
	output := textOf(blocksOf(b.Content))
	list := []event{toolResult{ID: b.ToolID, Tool: name, Output: cut(output, maxOutput), Success: !b.IsError, IsError: b.IsError}}
	if r.agents[b.ToolID] {
		list = append(list, subagentComplete{ID: b.ToolID, Summary: clip(output)})
	}
	r.forget(b.ToolID)
	return list
}

func (r *reader) forget(id string) {
	delete(r.tools, id)
	delete(r.agents, id)
	for i, one := range r.running {
		if one == id {
			r.running = append(r.running[:i], r.running[i+1:]...)
			return
		}
	}
}

// cut shortens a text to a size and says what is missing.
func cut(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return strings.ToValidUTF8(text[:size], "") + fmt.Sprintf("\n… (%d bytes more are in the history of the session)", len(text)-size)
}

// clip returns the start of a text.
func clip(text string) string {
	if utf8.RuneCountInString(text) <= summaryLength {
		return text
	}
	return string([]rune(text)[:summaryLength-1]) + "…"
}

// result returns what the end of a turn says. The answer itself was said before.
func (r *reader) result(l *logLine) (list []event) {
	for len(r.running) > 0 { // what a turn leaves without a result has none
		r.forget(r.running[0])
	}
	if l.Failed || l.Subtype != "success" {
		list = append(list, systemMessage{Content: whyFailed(l), Subtype: "result"})
	}
	if u := l.usage(r.usage); u != nil {
		list = append(list, *u)
	}
	return list
}

// whyFailed says why a turn failed.
func whyFailed(l *logLine) string {
	switch {
	case strings.HasPrefix(l.Reason, "aborted"):
		return "interrupted"
	case l.Result != "":
		return l.Result
	case len(l.Errors) > 0:
		return strings.Join(l.Errors, "; ")
	}
	return "the turn failed: " + l.Subtype
}

// usage returns what a turn used; nil: that is not known. Latest is what its last message
// used.
func (l *logLine) usage(latest *tokens) *usageMessage {
	all := l.Usage
	if all == nil {
		all = latest
	}
	if all == nil {
		return nil
	}
	u := &usageMessage{InputTokens: all.Input, OutputTokens: all.Output, CacheReadTokens: all.CacheRead, CacheCreateTokens: all.CacheCreate, TotalCost: l.Cost}
	if latest != nil {
		u.ContextUsed = latest.Input + latest.CacheRead + latest.CacheCreate + latest.Output
	}
	for _, m := range l.Models {
		u.ContextLimit = max(u.ContextLimit, m.Context)
	}
	return u
}

func (r *reader) system(l *logLine) []event {
	switch l.Subtype {
	case "init":
		return []event{systemMessage{Content: fmt.Sprintf("%s in %s", l.Model, l.Dir), Subtype: "init"}}
	case "compact_boundary":
		return []event{systemMessage{Content: "The conversation was compacted.", Subtype: "progress"}}
	}
	return nil
}

// tool returns the call that runs; empty: none does.
func (r *reader) tool() string {
	if len(r.running) == 0 {
		return ""
	}
	return r.tools[r.running[len(r.running)-1]]
}

// stateOf returns the state of an agent in the words of the protocol.
func (r *reader) stateOf(s *launch.Status) stateMessage {
	switch s.State {
	case launch.NeedsYou:
		if len(s.Prompts) > 0 && s.Prompts[0].Kind == launch.Question {
			return stateMessage{State: "waiting_input", Tool: s.Prompts[0].Tool}
		}
		m := stateMessage{State: "waiting_permission"}
		if len(s.Prompts) > 0 {
			m.Tool = s.Prompts[0].Tool
		}
		return m
	case launch.Working:
		if tool := r.tool(); tool != "" {
			return stateMessage{State: "executing", Tool: tool}
		}
		return stateMessage{State: "thinking"}
	}
	return stateMessage{State: "idle"}
}
