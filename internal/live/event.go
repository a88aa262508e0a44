package live

import (
	"time"

	"sesskeep"
)

// Kind says what an Event tells.
type Kind string

// What happens to sessions.
const (
	Appeared Kind = "appeared" // a transcript, or a client without one, that was not there before
	Lines    Kind = "lines"    // entries were appended
	Changed  Kind = "state"    // the state of a session is another
	Replaced Kind = "replaced" // the file is another one: forget what it said, it comes again
	Gone     Kind = "gone"     // the transcript was deleted
	Moved    Kind = "moved"    // the client went on in another session: /clear, /branch, the picker
	Reset    Kind = "reset"    // the subscriber was too slow: events are missing here
)

// Event is news about one session.
type Event struct {
	Kind    Kind
	Time    time.Time // when the Hub noticed
	Root    string    // of the home
	Session sesskeep.SessionID
	Agent   sesskeep.AgentID // of an agent's transcript, else empty
	File    string           // path inside the home; empty while there is no transcript

	// Of Lines: the entries, whole and good for ever, and the bytes of the file
	// they were read from. From is the To of the event before. Subscribers share
	// the entries: they are for reading. There is none where the lines between
	// From and To are no records.
	Entries  []sesskeep.Entry
	From, To Position

	State State // of Changed and Appeared: what it is now
	Was   State // of Changed: what it was; the zero State when it was not known

	Next sesskeep.SessionID // of Moved: where it goes on
}

// ofFile reports whether the event is about what a transcript says.
func (ev *Event) ofFile() bool {
	return ev.Kind == Lines || ev.Kind == Replaced || ev.Kind == Gone
}

// Position is a place in a file: the start of a line.
type Position struct {
	Offset int64 `json:"offset"`
	Line   int   `json:"line"` // lines before it
}
