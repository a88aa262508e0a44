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

// PartKinds lists all kinds of parts.
var PartKinds = []PartKind{
	PromptPart, TextPart, ThinkingPart, CallPart, NoticePart, BoundaryPart, ImagePart, DocumentPart, MetaPart, UnknownPart,
}

// Part is one thing a reader sees. Which fields are set depends on Kind.
type Part struct {
	Kind PartKind `json:"kind"` // what the part is
	// Label distinguishes parts of one kind, in a word or two: the topic of a notice (command,
	// output, bash, task, stopped, summary, error, result, …), "queued" for a prompt that was
	// typed while the model worked and "task" for one given to a sub-agent, the original type
	// for meta and unknown parts.
	Label string `json:"label,omitempty"`

	Time time.Time `json:"timestamp,omitzero"`  // when it was written
	UUID string    `json:"messageId,omitempty"` // uuid of the entry that the part comes from
	Line int       `json:"line,omitempty"`      // number of that entry's line, from 1
	// Also are the uuids of the other entries that the part represents: the result of a call,
	// copies of a line that the client wrote twice.
	Also []string `json:"also,omitempty"`

	Text string `json:"text,omitempty"` // text of the part

	Model string `json:"model,omitempty"` // model that answered; empty if the client made up the answer

	Failed  bool `json:"failed,omitempty"`  // true if the notice reports a failure
	Aborted bool `json:"aborted,omitempty"` // true if the answer was interrupted

	Withheld int           `json:"withheldSize,omitempty"` // bytes of the signature that replaces a withheld thought
	Took     time.Duration `json:"-"`                      // time spent thinking; in JSON durationMs

	Call  *Call            `json:"call,omitempty"`       // for a call, or a result without its call
	Media *Media           `json:"media,omitempty"`      // for an image or document: the file
	Shift *Compaction      `json:"compaction,omitempty"` // for a boundary: the tokens before and after it
	Agent sesskeep.AgentID `json:"agentId,omitempty"`    // agent that a notice is about

	Position Position `json:"-"` // where all of it is written
}

// Hidden reports whether the part is shown only on request.
func (p *Part) Hidden() bool { return p.Kind == MetaPart }

// Wrong reports whether the part is about a failure.
func (p *Part) Wrong() bool {
	return p.Failed || p.Kind == CallPart && p.Call != nil && (p.Call.State == Failed || p.Call.State == Denied)
}

// MarshalJSON writes times and durations in milliseconds.
func (p Part) MarshalJSON() ([]byte, error) { return json.Marshal(p.JSON()) }

// PartJSON is a Part as it is encoded. It has no method that encodes it, so that what it is
// a part of is encoded in one pass: the result of such a method is read again at every level.
type PartJSON struct {
	Kind PartKind   `json:"kind"`
	Time stamp.Time `json:"timestamp,omitzero"`
	plainPart
	Call *callJSON `json:"call,omitempty"`
	Took int64     `json:"durationMs,omitempty"`
}

type plainPart Part

// JSON returns the part as it is encoded.
func (p *Part) JSON() PartJSON {
	out := PartJSON{Kind: p.Kind, Time: stamp.Time{Time: p.Time}, plainPart: plainPart(*p), Took: p.Took.Milliseconds()}
	if p.Call != nil {
		out.Call = p.Call.json()
	}
	return out
}

// Media is an image or a document without its bytes.
type Media struct {
	Type  string `json:"type,omitempty"`     // png, pdf, …; empty if unknown
	Bytes int    `json:"fileSize,omitempty"` // decoded size; 0 if the file is not in the transcript
	URL   string `json:"url,omitempty"`      // address that the file came from
	// Width is the width in pixels of a png, jpeg, gif or webp, read from its first bytes; 0
	// for other types.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"` // height in pixels, like Width

	Position Position `json:"-"` // where it is written
}

// Compaction describes a boundary.
type Compaction struct {
	Trigger string `json:"trigger,omitempty"`      // auto or manual
	Before  int    `json:"beforeTokens,omitempty"` // tokens before the compaction; 0 if unknown
	After   int    `json:"afterTokens,omitempty"`  // tokens after the compaction; 0 if unknown
}
