package follow

import (
	"encoding/json"
	"time"

	"sesskeep"
	"sesskeep/internal/live"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// EventKind says what happened. For what was said or done it is the kind of
// the part: prompt, text, thinking, call, notice, boundary, image, document,
// meta or unknown.
type EventKind string

// The kinds that no part has.
const (
	ResultEvent   EventKind = "result"   // a call ended; the call has what came of it
	WrittenEvent  EventKind = "written"  // lines were appended: see WatchOptions.Brief
	StateEvent    EventKind = "state"    // the session does something else now
	AppearedEvent EventKind = "appeared" // a session or an agent that is new
	MovedEvent    EventKind = "moved"    // the client continued in another session
	ForkedEvent   EventKind = "forked"   // another session started as a copy of this one
	LeftEvent     EventKind = "left"     // the session continues in another conversation than the one that is watched
	ReplacedEvent EventKind = "replaced" // another file took its name, and is reported from its start
	ContextEvent  EventKind = "context"  // the context is as full as WatchOptions.Context says
	QueuedEvent   EventKind = "queued"   // a prompt that waits; it is reported again when the model gets it
	FinishedEvent EventKind = "finished" // an agent is done
	GoneEvent     EventKind = "gone"     // the transcript was deleted
	ResetEvent    EventKind = "reset"    // the reader was too slow: something may be missing
)

// Event is one thing that happened in a session, ready to be shown.
type Event struct {
	Time        time.Time          `json:"timestamp,omitzero"`
	Kind        EventKind          `json:"kind"`
	Session     sesskeep.SessionID `json:"sessionId,omitempty"`
	Agent       sesskeep.AgentID   `json:"agentId,omitempty"`
	Project     string             `json:"project,omitempty"` // short name
	ProjectPath string             `json:"projectPath,omitempty"`
	Title       string             `json:"title,omitempty"`
	Root        string             `json:"root,omitempty"`
	Key         sesskeep.Key       `json:"-"`                 // of the session
	Machine     string             `json:"machine,omitempty"` // app fills it in
	File        string             `json:"file,omitempty"`    // inside the home
	Line        int                `json:"line,omitempty"`
	UUID        string             `json:"messageId,omitempty"`

	// Text is the whole of what was said. Of a call it is the most informative
	// input, of a state what is waited for.
	Text     string     `json:"text,omitempty"`
	Label    string     `json:"label,omitempty"`
	Model    string     `json:"model,omitempty"`
	Failed   bool       `json:"failed,omitempty"`
	Withheld int        `json:"withheldSize,omitempty"` // bytes of the signature kept instead of a thought
	Call     *view.Call `json:"call,omitempty"`

	State *live.State        `json:"state,omitempty"`
	Was   *live.State        `json:"was,omitempty"`           // nil when it was not known
	Next  sesskeep.SessionID `json:"nextSessionId,omitempty"` // session in which it continues

	// Context and Window are set for ContextEvent: see Process.
	Context int64 `json:"contextTokens,omitempty"`
	Window  int64 `json:"contextWindow,omitempty"`

	// Smells are the phrases in Text that somebody asked to be warned of.
	Smells []string `json:"smells,omitempty"`

	Part *view.Part `json:"-"` // nil where nothing was said
	// Chained is set for what a line of the conversation says, Spoken for one of
	// the user or the model, be it hidden.
	Chained bool `json:"-"`
	Spoken  bool `json:"-"`
}

// MarshalJSON writes the time in milliseconds.
func (m Event) MarshalJSON() ([]byte, error) {
	type plain Event
	return json.Marshal(struct {
		Time stamp.Time `json:"timestamp,omitzero"`
		plain
	}{stamp.Time{Time: m.Time}, plain(m)})
}

// Shown reports whether a reader of the conversation wants to see it: context
// for the model is not for people.
func (m *Event) Shown() bool { return m.Kind != EventKind(view.MetaPart) }

// setPart makes the event report a part.
func (m *Event) setPart(p *view.Part) {
	m.Kind, m.Part = EventKind(p.Kind), p
	m.Line, m.UUID = p.Line, p.UUID
	m.Text, m.Label, m.Model = p.Text, p.Label, p.Model
	m.Failed, m.Withheld, m.Call = p.Failed, p.Withheld, p.Call
	if !p.Time.IsZero() {
		m.Time = p.Time
	}
	if p.Kind == view.CallPart {
		m.Text = p.Call.Summary
	}
}
