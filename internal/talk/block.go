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
	Kind  view.PartKind `json:"kind" enum:"prompt,text,thinking,call,notice,boundary,image,document,meta,unknown" doc:"Kind of the block"`
	Label string        `json:"label,omitempty" doc:"Distinguishes blocks of one kind: the subject of a notice, queued or task for a prompt, the type as written for meta and unknown blocks"`
	Turn  int           `json:"turn" doc:"Index of its turn in the conversation, counting from 0"`
	Index *int          `json:"index,omitempty" doc:"Index of the block in the conversation, counting from 0; with count=true"`

	Time      stamp.Time `json:"timestamp,omitzero"`
	MessageID string     `json:"messageId,omitempty" doc:"uuid of the line it comes from"`
	Line      int        `json:"line,omitempty" doc:"Number of that line, counting from 1"`
	Also      []string   `json:"also,omitempty" doc:"uuids of other lines that it represents: the result of a call, copies of a line"`

	Text     string `json:"text,omitempty"`
	Model    string `json:"model,omitempty"`
	Failed   bool   `json:"failed,omitempty" doc:"The notice is about a failure"`
	Aborted  bool   `json:"aborted,omitempty" doc:"The answer was interrupted"`
	Withheld int    `json:"withheldSize,omitempty" doc:"Bytes of the signature that is stored instead of a thought"`
	Duration int64  `json:"durationMs,omitempty" doc:"Time spent thinking"`

	Call       *BlockCall       `json:"call,omitempty"`
	Media      *BlockMedia      `json:"media,omitempty"`
	Compaction *view.Compaction `json:"compaction,omitempty" doc:"Tokens before and after a boundary"`
	Agent      sesskeep.AgentID `json:"agentId,omitempty" doc:"The agent a notice is about"`

	Truncated map[string]Truncation `json:"truncated,omitempty" doc:"Texts that are cut, by field, with a reference to the whole text"`
}

// Truncation describes a text that is too long for a list.
type Truncation struct {
	Size int    `json:"fileSize,omitempty" doc:"Bytes of the whole text; 0 if they were not counted"`
	Ref  string `json:"ref" doc:"For /sessions/{id}/blobs/{ref}"`
}

// BlockMedia is an image or a document by reference.
type BlockMedia struct {
	Type   string `json:"type,omitempty" doc:"png, pdf, …; empty if unknown"`
	Size   int    `json:"fileSize,omitempty" doc:"Bytes; 0 if it is not in the transcript"`
	URL    string `json:"url,omitempty" doc:"Its source; the server never loads it"`
	Width  int    `json:"width,omitempty" doc:"Width in pixels of an image that can be shown"`
	Height int    `json:"height,omitempty"`
	Ref    string `json:"ref,omitempty" doc:"For /sessions/{id}/blobs/{ref}"`
}

// BlockCall is a tool call with its result.
type BlockCall struct {
	ID       string         `json:"id,omitempty"`
	Tool     string         `json:"tool" doc:"Name of the tool, without the prefix of its server"`
	Server   string         `json:"server,omitempty" doc:"Server of an MCP tool"`
	Short    string         `json:"short" doc:"The tool in one short lower-case word"`
	Summary  string         `json:"summary,omitempty" doc:"The most informative input, on one line"`
	Outcome  string         `json:"outcome,omitempty" doc:"The most informative fact about the result: +2 −1, exit 1, 214 lines"`
	State    view.CallState `json:"state" enum:"ok,failed,denied,interrupted,no result,launched" doc:"How it ended"`
	Duration int64          `json:"durationMs,omitempty"`
	Reason   string         `json:"reason,omitempty" doc:"Why it failed or was denied, if known"`

	Input  json.RawMessage `json:"input,omitempty" doc:"Input of the tool; left out if it is long"`
	Output string          `json:"output,omitempty" doc:"Output that the model saw, without the client's tags"`
	Media  []BlockMedia    `json:"media,omitempty" doc:"Images in the result"`

	File    string      `json:"file,omitempty" doc:"The file it reads or changes, as the model named it"`
	Diff    []view.Hunk `json:"diff,omitempty" doc:"What an edit changed, or tried to change; left out if it is long"`
	Added   int         `json:"added,omitempty" doc:"Lines"`
	Removed int         `json:"removed,omitempty" doc:"Lines"`

	Command   string          `json:"command,omitempty" doc:"Command of a shell call"`
	Prompt    string          `json:"prompt,omitempty" doc:"Prompt of an agent"`
	Plan      string          `json:"plan,omitempty"`
	Todos     []view.Todo     `json:"todos,omitempty"`
	Questions []view.Question `json:"questions,omitempty"`

	Agent   sesskeep.AgentID `json:"agentId,omitempty" doc:"The agent it started"`
	Session string           `json:"agentSessionId,omitempty" doc:"Session id of that agent, for its own blocks"`
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
