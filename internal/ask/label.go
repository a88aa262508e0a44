package ask

import "time"

// Label is what a user added to a session.
type Label struct {
	ID       string   // of the session
	Title    string   // instead of the one that was found
	Over     string   // as long as the client itself calls it so, or by Title; alone: what it calls it is no title
	Tags     []string // beside the client's own
	Note     string
	Starred  bool
	Archived time.Time // zero: it is not
	Source   Source    // instead of the one that was found out; empty: that one
}

// Archived says which of the archived sessions a list shows.
type Archived string

const (
	ArchivedHidden Archived = ""     // none, unless the filter names sessions
	ArchivedOnly   Archived = "only" // nothing else
	ArchivedToo    Archived = "too"
)
