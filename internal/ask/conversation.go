package ask

import (
	"sesskeep"
	"sesskeep/internal/stamp"
)

// Conversation is one branch of a session in a list.
type Conversation struct {
	SessionID    string                    `json:"sessionId"`
	Leaf         string                    `json:"leaf"`
	Name         string                    `json:"name"`
	PromptCount  int                       `json:"promptCount"`
	MessageCount int                       `json:"messageCount"`
	ForkPoint    string                    `json:"forkPoint,omitempty"` // uuid of the turn it parted at
	Kind         sesskeep.ConversationKind `json:"kind"`
	Active       bool                      `json:"active"`
	LastActivity stamp.Time                `json:"lastActivityAt,omitzero"`
}
