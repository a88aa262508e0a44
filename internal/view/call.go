package view

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"sesskeep"
	"sesskeep/internal/saved"
)

// CallState says how a call ended.
type CallState string

// The states of calls.
const (
	OK          CallState = "ok"
	Failed      CallState = "failed"
	Denied      CallState = "denied" // by a person, a rule or a hook
	Interrupted CallState = "interrupted"
	Missing     CallState = "no result" // still running, or killed
	Launched    CallState = "launched"  // an agent that works in the background
)

// CallStates lists all states of calls.
var CallStates = []CallState{OK, Failed, Denied, Interrupted, Missing, Launched}

// Call is a tool call with its result.
type Call struct {
	ID     string `json:"id,omitempty"`     // id of the call
	Tool   string `json:"tool"`             // name of the tool, without the prefix of its MCP server
	Server string `json:"server,omitempty"` // MCP server of the tool
	Short  string `json:"short"`            // the tool in one short lower-case word: edit, bash, mcp

	Summary  string        `json:"summary,omitempty"` // the most informative input, on one line
	Outcome  string        `json:"outcome,omitempty"` // the most informative fact about the result: +2 −1, exit 1, 214 lines
	State    CallState     `json:"state"`             // how the call ended
	Duration time.Duration `json:"-"`                 // in JSON durationMs
	// Reason is why the call failed or was denied, in the words of the tool or of the person
	// who answered.
	Reason string `json:"reason,omitempty"`

	Input  json.RawMessage `json:"input,omitempty"`      // input of the tool
	Output string          `json:"output,omitempty"`     // output as the model saw it, without the client's tags
	Images int             `json:"imageCount,omitempty"` // number of images in the result
	Media  []Media         `json:"media,omitempty"`      // images in the result

	File    string `json:"file,omitempty"`    // file that the call reads or changes, as the model named it
	Diff    []Hunk `json:"diff,omitempty"`    // what an edit changed, or tried to change
	Added   int    `json:"added,omitempty"`   // lines added
	Removed int    `json:"removed,omitempty"` // lines removed

	Command   string     `json:"command,omitempty"`   // whole command of a shell call
	Prompt    string     `json:"prompt,omitempty"`    // prompt for the agent that the call starts
	Plan      string     `json:"plan,omitempty"`      // plan that the call proposes
	Todos     []Todo     `json:"todos,omitempty"`     // items of the to-do list
	Questions []Question `json:"questions,omitempty"` // questions to the user, with their answers

	Agent sesskeep.AgentID `json:"agentId,omitempty"` // agent that the call started
	// Persisted is the base name of the file in the session's tool-results directory that has
	// an output too large for the transcript.
	Persisted string `json:"persisted,omitempty"`

	Result Position `json:"-"` // position of the output
}

// MarshalJSON writes durations in milliseconds.
func (c Call) MarshalJSON() ([]byte, error) { return json.Marshal(c.json()) }

// callJSON is a Call as it is encoded.
type callJSON struct {
	plainCall
	Duration int64 `json:"durationMs,omitempty"`
}

type plainCall Call

func (c *Call) json() *callJSON { return &callJSON{plainCall(*c), c.Duration.Milliseconds()} }

// Todo is an item of a check list.
type Todo struct {
	Text   string `json:"text"`   // text of the item
	Status string `json:"status"` // pending, in_progress or completed
}

// Question is a question of the model, with its answer.
type Question struct {
	Text    string   `json:"text"`              // the question
	Options []string `json:"options,omitempty"` // options to choose from
	Answer  string   `json:"answer,omitempty"`  // answer of the user
}

// newCall decodes a call as the model made it.
func newCall(b sesskeep.Block, cwd string) *Call {
	c := &Call{ID: b.ID, Tool: b.Name, Input: b.Input, State: Missing, Outcome: string(Missing)}
	if !utf8.Valid(b.Input) { // transcripts can contain such bytes, JSON cannot
		c.Input = bytes.ToValidUTF8(b.Input, []byte("\uFFFD"))
	}
	in := object(b.Input)
	if b.Kind == "mcp_tool_use" { // of a server that the API talks to
		c.Server = stringOf(fieldOf(b.Raw, "server_name"))
	} else if server, tool, ok := mcpName(b.Name); ok {
		c.Server, c.Tool = server, tool
	}
	t := toolOf(c)
	c.Short = t.short
	if t.input != nil {
		t.input(c, in)
	}
	c.setDiff(proposed(c.Tool, in))
	if t.summary != nil {
		c.Summary = t.summary(c, in, cwd)
	}
	if c.Summary == "" {
		c.Summary = firstString(b.Input)
	}
	c.Summary = strings.Join(strings.Fields(c.Summary), " ")
	return c
}

// mcpName splits mcp__server__tool. Both names may contain __; the first one after
// the server's name separates them.
func mcpName(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, "__")
	return server, tool, ok && server != "" && tool != ""
}

// reply is the result of a call.
type reply struct {
	denied string // how the call was denied, as the line says
	data   fields // toolUseResult, when it is an object
	note   string // toolUseResult, when it is a string
	error  bool
}

// setResult adds the result to the call.
func (c *Call) setResult(e *sesskeep.Entry, b sesskeep.Block, at Position, called time.Time) {
	c.Result = at
	r := reply{denied: stringOf(fieldOf(e.Raw, "toolDenialKind")), data: object(e.Result), note: stringOf(e.Result), error: b.Error}
	c.read(b.Content, r)
	if hunks := applied(c.Tool, r.data); hunks != nil {
		c.setDiff(hunks)
	}
	t := toolOf(c)
	if t.result != nil {
		t.result(c, r.data)
	}
	c.State = c.state(r)
	c.Outcome = c.outcome(t, r)
	c.Reason = c.reason()
	c.Duration = duration(r.data, e.Time.Sub(called), called.IsZero() || e.Time.IsZero())
	if c.State == Launched {
		c.Duration = 0 // the time it took to launch is meaningless
	}
}

// duration returns what the tool reports, or the time between call and result.
func duration(data fields, between time.Duration, unknown bool) time.Duration {
	for _, key := range []string{"totalDurationMs", "durationMs"} {
		if ms, ok := data.number(key); ok {
			return time.Duration(ms * float64(time.Millisecond))
		}
	}
	if s, ok := data.number("durationSeconds"); ok {
		return time.Duration(s * float64(time.Second))
	}
	if unknown {
		return 0
	}
	return max(between, 0)
}

var (
	toolTags  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</?(?:tool_use_error|persisted-output)>\n?`) })
	agentTail = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^agentId: ([A-Za-z0-9_-]+)`) })
)

// Output returns the text of a result, without the client's tags.
func Output(result sesskeep.Block) string { return withoutTags(outputOf(result.Content)) }

func outputOf(blocks []sesskeep.Block) string {
	var texts []string
	for _, b := range blocks {
		switch b.Kind {
		case sesskeep.BlockText:
			texts = append(texts, b.Text)
		case sesskeep.BlockImage:
		default:
			texts = append(texts, string(b.Raw))
		}
	}
	return strings.Join(texts, "\n")
}

func withoutTags(output string) string {
	if strings.HasPrefix(output, "<") {
		return toolTags().ReplaceAllString(output, "")
	}
	return output
}

// read sets the output from the result's blocks.
func (c *Call) read(blocks []sesskeep.Block, r reply) {
	for i, b := range blocks {
		if b.Kind == sesskeep.BlockImage {
			c.Images++
			at := c.Result
			at.Item = i + 1
			c.Media = append(c.Media, newMedia(b, at))
		}
	}
	output := outputOf(blocks)
	if strings.HasPrefix(output, "<persisted-output>") {
		saved, _ := saved.Parse(output)
		c.Persisted = saved.Name
	}
	if path := r.data.text("persistedOutputPath"); path != "" {
		c.Persisted = base(path)
	}
	c.Output = withoutTags(output)
	if c.StartsAgent() {
		c.Agent = sesskeep.AgentID(r.data.text("agentId"))
		if all := agentTail().FindAllStringSubmatch(output, -1); c.Agent == "" && all != nil {
			c.Agent = sesskeep.AgentID(all[len(all)-1][1])
		}
	}
}

// StartsAgent reports whether the call is one that starts a sub-agent.
func (c *Call) StartsAgent() bool { return c.Server == "" && (c.Tool == "Agent" || c.Tool == "Task") }
