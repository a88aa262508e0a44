package ask

import (
	"slices"
	"strings"

	"sesskeep/internal/stamp"
)

// State is what a session does now, in a word and with its reason.
type State struct {
	Word    string     `json:"word"`                 // working, needs you, your turn, idle, unclean or ended
	Since   stamp.Time `json:"since,omitzero"`       // when the state started
	Why     string     `json:"why"`                  // reason for the state
	Waiting string     `json:"waitingFor,omitempty"` // what the session waits for
	PID     int        `json:"pid,omitempty"`        // process id of the client
}

// The words of states. The first four mean that a client runs.
const (
	NeedsYou = "needs you" // it cannot continue without an answer
	Working  = "working"   // a turn runs, or an agent or shell in the background
	YourTurn = "your turn" // the turn is over; it waits for the next prompt
	Idle     = "idle"      // the client runs, and neither side waits
	Unclean  = "unclean"   // the client disappeared in the middle of a turn
	Ended    = "ended"     // no client runs it
)

// Words that a filter takes beside those of states; they go with any of them.
const (
	CopyOnly = "copy only" // the transcript was deleted, and our copy is left
	Damaged  = "damaged"   // the transcript has problems
)

// States are the words of all states, the most urgent first, and StateWords what a
// filter takes.
var (
	States     = []string{NeedsYou, Working, YourTurn, Idle, Unclean, Ended}
	StateWords = append(slices.Clone(States), CopyOnly, Damaged)
)

// Dashed are words as flags and queries take them, where a blank is awkward to type.
func Dashed(words []string) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = strings.ReplaceAll(w, " ", "-")
	}
	return list
}
