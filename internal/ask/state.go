package ask

import "sesskeep/internal/stamp"

// State is what a session does now, in a word and with its reason.
type State struct {
	Word    string     `json:"word"`                 // working, needs you, your turn, idle, unclean or ended
	Since   stamp.Time `json:"since,omitzero"`       // when the state started
	Why     string     `json:"why"`                  // reason for the state
	Waiting string     `json:"waitingFor,omitempty"` // what the session waits for
	PID     int        `json:"pid,omitempty"`        // process id of the client
}
