package live

import (
	"time"
)

// Word is the state of a session in one word.
type Word string

// The words. Only the first four mean that a client runs.
const (
	Working  Word = "working"   // a turn runs, or an agent or shell in the background
	NeedsYou Word = "needs you" // it cannot go on without an answer
	YourTurn Word = "your turn" // the turn is over; it waits for the next prompt
	Idle     Word = "idle"      // it runs, and nobody waits for anybody
	Unclean  Word = "unclean"   // the client went away in the middle of something
	Ended    Word = "ended"
)

// Words are all of them, the most urgent first.
var Words = []Word{NeedsYou, Working, YourTurn, Idle, Unclean, Ended}

// State is what a session does now. Why says in a few words where that is
// known from, so that nobody has to believe it.
type State struct {
	Word  Word      `json:"word"`
	Since time.Time `json:"since,omitzero"`
	Why   string    `json:"why"`
	// Waiting is what an answer is needed for, such as "permission: Bash".
	Waiting string `json:"waitingFor,omitempty"`
	PID     int    `json:"pid,omitempty"` // of the client that runs
}

// Runs reports whether a client is at it.
func (s State) Runs() bool {
	switch s.Word {
	case Working, NeedsYou, YourTurn, Idle:
		return true
	}
	return false
}
