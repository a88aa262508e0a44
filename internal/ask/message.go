package ask

import (
	"time"

	"sesskeep"
)

// Message is one answer of the model that counts: of all files that have it,
// it is taken from one.
type Message struct {
	Location  *Location
	At        int64 // milliseconds since 1970
	Model     string
	Branch    string // of git, that its line has; empty: none
	Sidechain bool   // an agent's, perhaps one that wrote into the session's file
	Call      bool   // not the answer itself, but a call that was made for it
	Usage     sesskeep.Usage
}

// Location is the transcript a message or a call is taken from.
type Location struct {
	Key         sesskeep.Key // the key of an agent has no session if its session is unknown
	ID          string
	Session     string // it belongs to: itself, unless it is an agent
	Source      Source
	AgentType   string
	Title       string
	Project     string // short name
	ProjectPath string
	Root        string
	Archived    bool
	Trashed     bool // it lies in the trash of the home at Root
}

// Of names the session it belongs to: itself, unless it is an agent.
func (p *Location) Of() sesskeep.Key {
	key := p.Key
	if key.Session != "" {
		key.Agent = ""
	}
	return key
}

// Dated reports whether the line of the message had a time.
func (m *Message) Dated() bool { return m.At > NoTime }

// Time is when the message was written; zero if that is unknown.
func (m *Message) Time() time.Time {
	if !m.Dated() {
		return time.Time{}
	}
	return time.UnixMilli(m.At).UTC()
}

// ByAgent reports whether an agent of the session got the answer, not the
// session itself.
func (m *Message) ByAgent() bool { return m.Sidechain || m.Location.ID != m.Location.Session }

// NoTime is how a line without a time is kept, in milliseconds since 1970.
var NoTime = time.Time{}.UnixMilli()
