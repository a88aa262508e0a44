package ask

import "sesskeep/internal/stamp"

// State is what a session does now, in a word and with its reason.
type State struct {
	Word    string     `json:"word"`
	Since   stamp.Time `json:"since,omitzero"`
	Why     string     `json:"why"`
	Waiting string     `json:"waitingFor,omitempty"`
	PID     int        `json:"pid,omitempty"`
}
