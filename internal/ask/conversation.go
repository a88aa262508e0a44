package ask

import (
	"sesskeep"
	"sesskeep/internal/stamp"
)

// Conversation is one branch of a session in a list.
type Conversation struct {
	SessionID    string                    `json:"sessionId"`               // id of the session
	Leaf         string                    `json:"leaf"`                    // uuid of the last line, which names the conversation
	Name         string                    `json:"name"`                    // start of the prompt that makes the conversation differ
	PromptCount  int                       `json:"promptCount"`             // number of prompts
	MessageCount int                       `json:"messageCount"`            // number of user and assistant lines
	ForkPoint    string                    `json:"forkPoint,omitempty"`     // uuid of the last turn that it shares with another conversation
	Kind         sesskeep.ConversationKind `json:"kind"`                    // how it came about: main, retry, edit, rewind or compact
	Active       bool                      `json:"active"`                  // true for the conversation that a resume continues
	LastActivity stamp.Time                `json:"lastActivityAt,omitzero"` // time of the last line
}
