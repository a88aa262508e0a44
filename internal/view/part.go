package view

import (
	"encoding/json"
	"time"

	"sesskeep"
	"sesskeep/internal/stamp"
)

// PartKind is the kind of a Part.
type PartKind string

// The kinds of parts.
const (
	PromptPart   PartKind = "prompt"   // sent by a person or a host program
	TextPart     PartKind = "text"     // of an answer
	ThinkingPart PartKind = "thinking" // its text, or how much of it was withheld
	CallPart     PartKind = "call"
	NoticePart   PartKind = "notice"   // added by the client, and of interest to readers
	BoundaryPart PartKind = "boundary" // a compaction: everything above was summarised
	ImagePart    PartKind = "image"
	DocumentPart PartKind = "document"
	MetaPart     PartKind = "meta"    // context for the model, hidden by default
	UnknownPart  PartKind = "unknown" // Text is the raw JSON
)

// Part is one thing a reader sees. Which fields are set depends on Kind.
type Part struct {
	Kind PartKind `json:"kind"`
	// Label distinguishes parts of one kind, in a word or two: for a notice its
	// subject (command, output, bash, task, stopped, summary, error, result, …), for
	// a prompt "queued" if it was typed while the model worked and "task" if it was
	// given to a sub-agent, for meta and unknown parts the type as written.
	Label string `json:"label,omitempty"`

	Time time.Time `json:"timestamp,omitzero"`
	UUID string    `json:"messageId,omitempty"` // of the entry it comes from
	Line int       `json:"line,omitempty"`      // line number of that entry, counting from 1
	// Also names the other entries that the part represents: the result of a call,
	// and copies of a line that the client wrote twice.
	Also []string `json:"also,omitempty"`

	Text string `json:"text,omitempty"`

	Model string `json:"model,omitempty"` // of an answer's parts; empty if the client wrote the answer

	Failed  bool `json:"failed,omitempty"`  // the notice is about a failure
	Aborted bool `json:"aborted,omitempty"` // the answer was interrupted

	Withheld int           `json:"withheldSize,omitempty"` // bytes of the signature stored instead of a thought
	Took     time.Duration `json:"-"`                      // time spent thinking; in JSON durationMs

	Call  *Call            `json:"call,omitempty"` // of a call, and of a result without a call
	Media *Media           `json:"media,omitempty"`
	Shift *Compaction      `json:"compaction,omitempty"`
	Agent sesskeep.AgentID `json:"agentId,omitempty"` // the sub-agent a notice is about

	Position Position `json:"-"` // where all of it is written
}

// Hidden reports whether the part is shown only on request.
func (p *Part) Hidden() bool { return p.Kind == MetaPart }

// Wrong reports whether the part is about a failure.
func (p *Part) Wrong() bool {
	return p.Failed || p.Kind == CallPart && p.Call != nil && (p.Call.State == Failed || p.Call.State == Denied)
}

// MarshalJSON writes times and durations in milliseconds.
func (p Part) MarshalJSON() ([]byte, error) {
	type plain Part
	return json.Marshal(struct {
		Kind PartKind   `json:"kind"`
		Time stamp.Time `json:"timestamp,omitzero"`
		plain
		Took int64 `json:"durationMs,omitempty"`
	}{p.Kind, stamp.Time{Time: p.Time}, plain(p), p.Took.Milliseconds()})
}

// Media is an image or a document without its bytes.
type Media struct {
	Type  string `json:"type,omitempty"`     // png, pdf, …; empty if unknown
	Bytes int    `json:"fileSize,omitempty"` // decoded; 0 if it is not in the transcript
	URL   string `json:"url,omitempty"`
	// Width and Height are those of an image that can be shown: png, jpeg, gif or
	// webp, judging by its first bytes. 0: it cannot.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`

	Position Position `json:"-"` // where it is written
}

// Compaction describes a boundary.
type Compaction struct {
	Trigger string `json:"trigger,omitempty"`      // auto or manual
	Before  int    `json:"beforeTokens,omitempty"` // 0 if unknown
	After   int    `json:"afterTokens,omitempty"`
}
