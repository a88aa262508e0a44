package live

import (
	"encoding/json"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// Word is the state of a session in one word.
type Word string

// The words. The first four mean that a client runs.
const (
	Working  Word = ask.Working  // a turn runs, or an agent or shell in the background
	NeedsYou Word = ask.NeedsYou // it cannot continue without an answer
	YourTurn Word = ask.YourTurn // the turn is over; it waits for the next prompt
	Idle     Word = ask.Idle     // the client runs, and neither side waits for the other
	Unclean  Word = ask.Unclean  // the client disappeared in the middle of a turn
	Ended    Word = ask.Ended    // no client runs it
)

// Words lists all words, the most urgent first.
var Words = []Word{NeedsYou, Working, YourTurn, Idle, Unclean, Ended}

// Over reports whether the word says that a client ran the session and does not any more.
func (w Word) Over() bool { return w == Ended || w == Unclean }

// State is what a session does now.
type State struct {
	Word  Word      `json:"word"`
	Since time.Time `json:"since,omitzero"`
	Why   string    `json:"why"` // the evidence, in a few words
	// Waiting says what needs an answer, such as "permission: Bash".
	Waiting string `json:"waitingFor,omitempty"`
	PID     int    `json:"pid,omitempty"` // of the running client

	ask question // of NeedsYou
}

// MarshalJSON writes the time in milliseconds.
func (s State) MarshalJSON() ([]byte, error) {
	type plain State
	return json.Marshal(struct {
		plain
		Since stamp.Time `json:"since,omitzero"`
	}{plain(s), stamp.Time{Time: s.Since}})
}

// Runs reports whether a client runs the session.
func (s State) Runs() bool {
	switch s.Word {
	case Working, NeedsYou, YourTurn, Idle:
		return true
	}
	return false
}
