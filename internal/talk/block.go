package talk

import (
	"encoding/json"
	"unicode/utf8"

	"sesskeep"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// Block is one thing that a reader of a conversation sees, for other programs: a
// [view.Part] of bounded size, with its position.
type Block struct {
	Kind  view.PartKind `json:"kind" doc:"What the block is"`
	Label string        `json:"label,omitempty" doc:"Distinguishes blocks of one kind: the topic of a notice, queued or task for a prompt, the original type for meta and unknown blocks"`
	Turn  int           `json:"turn" doc:"Number of the turn in the conversation, from 0"`
	Index *int          `json:"index,omitempty" doc:"Number of the block in the conversation, from 0; with count=true"`

	Time      stamp.Time `json:"timestamp,omitzero"` // when it was written
	MessageID string     `json:"messageId,omitempty" doc:"uuid of the line that the block comes from"`
	Line      int        `json:"line,omitempty" doc:"Number of that line, from 1"`
	Also      []string   `json:"also,omitempty" doc:"uuids of the other lines that the block represents: the result of a call, copies of a line"`

	Text     string `json:"text,omitempty"`  // text of the block
	Model    string `json:"model,omitempty"` // model that answered
	Failed   bool   `json:"failed,omitempty" doc:"True if the notice reports a failure"`
	Aborted  bool   `json:"aborted,omitempty" doc:"True if the answer was interrupted"`
	Withheld int    `json:"withheldSize,omitempty" doc:"Bytes of the signature that replaces a withheld thought"`
	Duration int64  `json:"durationMs,omitempty" doc:"Milliseconds spent thinking"`

	Call       *BlockCall       `json:"call,omitempty"`  // for a call: the call with its result
	Media      *BlockMedia      `json:"media,omitempty"` // for an image or document: the file
	Compaction *view.Compaction `json:"compaction,omitempty" doc:"For a boundary: the tokens before and after it"`
	Agent      sesskeep.AgentID `json:"agentId,omitempty" doc:"Agent that a notice is about"`

	Truncated map[string]Truncation `json:"truncated,omitempty" doc:"Texts that were cut, by field, with a reference to the whole text"`
}

// Truncation describes a text that is too long for a list.
type Truncation struct {
	Size int    `json:"fileSize,omitempty" doc:"Bytes of the whole text; 0 if unknown"`
	Ref  string `json:"ref" doc:"Reference for /sessions/{id}/blobs/{ref}"`
}

// BlockMedia is an image or a document by reference.
type BlockMedia struct {
	Type   string `json:"type,omitempty" doc:"png, pdf, …; empty if unknown"`
	Size   int    `json:"fileSize,omitempty" doc:"Size in bytes; 0 if the file is not in the transcript"`
	URL    string `json:"url,omitempty" doc:"Address that the file came from. Nothing is ever loaded from it"`
	Width  int    `json:"width,omitempty" doc:"Width in pixels of an image that a browser can show"`
	Height int    `json:"height,omitempty"` // height in pixels
	Ref    string `json:"ref,omitempty" doc:"Reference for /sessions/{id}/blobs/{ref}"`
}

// BlockCall is a tool call with its result.
type BlockCall struct {
	ID       string         `json:"id,omitempty"` // id of the call
	Tool     string         `json:"tool" doc:"Name of the tool, without the prefix of its MCP server"`
	Server   string         `json:"server,omitempty" doc:"MCP server of the tool"`
	Short    string         `json:"short" doc:"The tool in one short lower-case word"`
	Summary  string         `json:"summary,omitempty" doc:"The most informative input, on one line"`
	Outcome  string         `json:"outcome,omitempty" doc:"The most informative fact about the result: +2 −1, exit 1, 214 lines"`
	State    view.CallState `json:"state" doc:"How the call ended"`
	Duration int64          `json:"durationMs,omitempty"` // milliseconds until the result
	Reason   string         `json:"reason,omitempty" doc:"Why the call failed or was denied, if that is known"`

	Input  json.RawMessage `json:"input,omitempty" doc:"Input of the tool; left out if it is long"`
	Output string          `json:"output,omitempty" doc:"Output as the model saw it, without the client's tags"`
	Media  []BlockMedia    `json:"media,omitempty" doc:"Images in the result"`

	File    string      `json:"file,omitempty" doc:"File that the call reads or changes, as the model named it"`
	Diff    []view.Hunk `json:"diff,omitempty" doc:"What an edit changed, or tried to change; left out if it is long"`
	Added   int         `json:"added,omitempty" doc:"Lines added"`
	Removed int         `json:"removed,omitempty" doc:"Lines removed"`

	Command   string          `json:"command,omitempty" doc:"Command of a shell call"`
	Prompt    string          `json:"prompt,omitempty" doc:"Prompt for the agent that the call starts"`
	Plan      string          `json:"plan,omitempty"`      // plan that the call proposes
	Todos     []view.Todo     `json:"todos,omitempty"`     // items of the to-do list
	Questions []view.Question `json:"questions,omitempty"` // questions to the user, with their answers

	Agent   sesskeep.AgentID `json:"agentId,omitempty" doc:"Agent that the call started"`
	Session string           `json:"agentSessionId,omitempty" doc:"Session id of that agent, to read its blocks"`
}

// How many bytes of a text a block contains: of what people and the model say, and of
// everything else.
const (
	mostSaid = 20 << 10
	mostElse = 4 << 10
	mostLine = 1 << 10 // of what is shown on one line
)

// newBlock converts a part to a block.
func newBlock(p *view.Part, turn int) Block {
	b := Block{
		Kind: p.Kind, Label: p.Label, Turn: turn, Time: stamp.Time{Time: p.Time}, MessageID: p.UUID, Line: p.Line, Also: p.Also,
		Model: p.Model, Failed: p.Failed, Aborted: p.Aborted, Withheld: p.Withheld, Duration: p.Took.Milliseconds(),
		Compaction: p.Shift, Agent: p.Agent,
	}
	most := mostSaid
	if p.Kind == view.MetaPart || p.Kind == view.UnknownPart || p.Call != nil {
		most = mostElse
	}
	b.Text = b.cut("text", p.Text, most, p.Position)
	if p.Media != nil {
		m := newBlockMedia(p.Media)
		b.Media = &m
	}
	if p.Call != nil {
		b.call(p.Call, p.Position)
	}
	return b
}

func newBlockMedia(m *view.Media) BlockMedia {
	out := BlockMedia{Type: m.Type, Size: m.Bytes, URL: clip(m.URL, mostLine), Width: m.Width, Height: m.Height}
	if m.Bytes > 0 {
		out.Ref = m.Position.String()
	}
	return out
}

// call adds a call. Its input is at one position, its output at another.
func (b *Block) call(c *view.Call, at view.Position) {
	out := &BlockCall{
		ID: c.ID, Tool: c.Tool, Server: c.Server, Short: c.Short, Summary: clip(c.Summary, mostLine), Outcome: clip(c.Outcome, mostLine), State: c.State,
		Duration: c.Duration.Milliseconds(), Reason: clip(c.Reason, mostElse), File: c.File, Added: c.Added, Removed: c.Removed,
		Todos: c.Todos, Questions: c.Questions, Agent: c.Agent,
	}
	if c.Agent != "" {
		out.Session = "agent-" + string(c.Agent)
	}
	if out.Input = c.Input; len(c.Input) > mostElse {
		out.Input = nil
		b.truncate("input", len(c.Input), at.String())
	}
	out.Command = b.cut("command", c.Command, mostElse, at)
	out.Prompt = b.cut("prompt", c.Prompt, mostSaid, at)
	out.Plan = b.cut("plan", c.Plan, mostSaid, at)
	out.Output = b.cut("output", c.Output, mostElse, c.Result)
	if c.Persisted != "" {
		b.truncate("output", 0, reading.SavedBlob(c.Persisted))
	}
	if out.Diff = c.Diff; sizeOf(c.Diff) > mostSaid {
		out.Diff = nil
		b.truncate("diff", sizeOf(c.Diff), at.String()+diffRef)
	}
	for i := range c.Media {
		out.Media = append(out.Media, newBlockMedia(&c.Media[i]))
	}
	b.Call = out
}

// cut shortens the text of a field, and records where all of it is.
func (b *Block) cut(field, text string, most int, at view.Position) string {
	if len(text) <= most {
		return text
	}
	b.truncate(field, len(text), at.String())
	return clip(text, most)
}

func (b *Block) truncate(field string, size int, ref string) {
	if b.Truncated == nil {
		b.Truncated = map[string]Truncation{}
	}
	b.Truncated[field] = Truncation{size, ref}
}

// clip returns the start of a text, in whole characters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func sizeOf(diff []view.Hunk) (n int) {
	for i := range diff {
		for _, line := range diff[i].Lines {
			n += len(line)
		}
	}
	return n
}
