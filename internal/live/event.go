package live

import (
	"time"

	"sesskeep"
)

// Kind says what an Event reports.
type Kind string

// The kinds of events; KindTable says what each means.
const (
	Appeared Kind = "appeared"
	Lines    Kind = "lines"
	Changed  Kind = "state"
	Replaced Kind = "replaced"
	Gone     Kind = "gone"
	Finished Kind = "finished"
	Moved    Kind = "moved"
	Touched  Kind = "touched"
	Reset    Kind = "reset"
)

// KindTable is the one table of the kinds of events. Documents are made of it.
var KindTable = []struct {
	Kind  Kind
	Means string
	Inner bool // for those who keep an index: programs do not get it
}{
	{Appeared, "a new transcript, or a client that has none yet", false},
	{Lines, "lines were appended to a transcript", false},
	{Changed, "the state of a session changed", false},
	{Replaced, "the file has other content: forget what it said; its lines follow", false},
	{Gone, "the transcript was deleted", false},
	{Finished, "the client noted that an agent is done", false},
	{Moved, "the client continues in another session: /clear, /branch, the picker", false},
	{Touched, "a meta file or a directory changed: see Interest.Ranges", true},
	{Reset, "the subscriber was too slow: events are missing here", false},
}

// Event reports one thing that happened in a home.
type Event struct {
	// ID names the event: the Hub's boot id, a dot, and a number that grows by
	// one with each event of the Hub, even those that no subscription receives. A later subscription can
	// continue after it: see Interest.After. It is empty while the lines that
	// Interest.Since asks for are not complete. The ID of a Reset is that of the
	// latest event.
	ID    string
	Kind  Kind
	Time  time.Time        // when the Hub noticed
	Root  string           // of the home
	Key   sesskeep.Key     // of the session
	Agent sesskeep.AgentID // of an agent's transcript, else empty
	File  string           // path inside the home; empty while there is no transcript

	// From and To are the range of the file that a Lines event is about. From
	// is the To of the file's previous event. Entries holds what the range says;
	// it is empty where the range has no valid record or the subscriber asked
	// only for ranges. Subscribers share Entries and must not change them.
	Entries  []sesskeep.Entry
	From, To Position

	State State // of Changed: the new state; of Appeared, if it is known
	Was   State // of Changed: the old state; zero if it was not known

	Next sesskeep.Key // of Moved: the session in which the client continues
}

// ofFile reports whether the event is about the content of a transcript.
func (ev *Event) ofFile() bool {
	return ev.Kind == Lines || ev.Kind == Replaced || ev.Kind == Gone
}

// Of names the transcript that the event is about.
func (ev *Event) Of() File { return File{ev.Root, ev.File} }

// Position is the start of a line in a file.
type Position struct {
	Offset int64 `json:"offset"` // byte offset in the file
	Line   int   `json:"line"`   // number of lines before it
}

// File names a transcript of one of several homes.
type File struct {
	Root string
	Name string // path inside the home
}
