package view

import (
	"encoding/json"
	"time"

	"sesskeep"
	"sesskeep/internal/stamp"
)

// PartKind says what a Part is.
type PartKind string

// The kinds of parts.
const (
	PromptPart   PartKind = "prompt"   // what a person or a host program sent
	TextPart     PartKind = "text"     // of an answer
	ThinkingPart PartKind = "thinking" // its text, or how much of it was withheld
	CallPart     PartKind = "call"
	NoticePart   PartKind = "notice"   // what the client put in and a reader wants to know
	BoundaryPart PartKind = "boundary" // a compaction: what is above was summarised
	ImagePart    PartKind = "image"
	DocumentPart PartKind = "document"
	MetaPart     PartKind = "meta"    // context for the model, hidden by default
	UnknownPart  PartKind = "unknown" // Text is the raw JSON
)

// Part is one thing a reader sees. Which fields are set depends on Kind.
type Part struct {
	Kind PartKind `json:"kind"`
	// Label tells parts of one kind apart, in a word or two: of a notice what
	// it is about (command, output, bash, task, stopped, summary, error,
	// result, …), of a prompt "queued" if it was typed while the model worked
	// and "task" if it was given to a sub-agent, of meta and unknown parts the
	// type as written.
	Label string `json:"label,omitempty"`

	Time time.Time `json:"timestamp,omitzero"`
	UUID string    `json:"messageId,omitempty"` // of the entry it comes from
	Line int       `json:"line,omitempty"`      // of that entry, counting from 1
	// Also names the other entries the part stands for: the result of a call,
	// and copies of a line that the client wrote twice.
	Also []string `json:"also,omitempty"`

	Text string `json:"text,omitempty"`

	Model string `json:"model,omitempty"` // of an answer's parts; empty when the client made it up

	Failed  bool `json:"failed,omitempty"`  // the notice is about something that went wrong
	Aborted bool `json:"aborted,omitempty"` // the answer was interrupted

	Withheld int           `json:"withheldSize,omitempty"` // bytes of the signature kept instead of a thought
	Took     time.Duration `json:"-"`                      // time spent thinking; in JSON durationMs

	Call  *Call            `json:"call,omitempty"` // of a call, and of a result whose call is not there
	Media *Media           `json:"media,omitempty"`
	Shift *Compaction      `json:"compaction,omitempty"`
	Agent sesskeep.AgentID `json:"agentId,omitempty"` // the sub-agent a notice is about

	Place Place `json:"-"` // where all of it is written
}

// Hidden reports whether the part is left out unless everything is asked for.
func (p *Part) Hidden() bool { return p.Kind == MetaPart }

// Wrong reports whether the part tells of something that did not go well.
func (p *Part) Wrong() bool {
	return p.Failed || p.Kind == CallPart && p.Call != nil && (p.Call.State == Failed || p.Call.State == Denied)
}

// MarshalJSON writes times and lengths of time in milliseconds.
func (p Part) MarshalJSON() ([]byte, error) {
	type plain Part
	return json.Marshal(struct {
		Kind PartKind   `json:"kind"`
		Time stamp.Time `json:"timestamp,omitzero"`
		plain
		Took int64 `json:"durationMs,omitempty"`
	}{p.Kind, stamp.Time{Time: p.Time}, plain(p), p.Took.Milliseconds()})
}

// Media is an image or a document, which is never part of a Part itself.
type Media struct {
	Type  string `json:"type,omitempty"`     // png, pdf, …; empty if not said
	Bytes int    `json:"fileSize,omitempty"` // decoded; 0 if it is not in the transcript
	URL   string `json:"url,omitempty"`
	// Width and Height are those of an image that can be shown: png, jpeg, gif or
	// webp, as its first bytes tell. 0: it is none.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`

	Place Place `json:"-"` // where it is written
}

// Compaction is what a boundary tells about itself.
type Compaction struct {
	Trigger string `json:"trigger,omitempty"`      // auto or manual
	Before  int    `json:"beforeTokens,omitempty"` // 0 if not said
	After   int    `json:"afterTokens,omitempty"`
}
