package sesskeep

import (
	"strings"
)

// SessionID names a session: the UUID in the name of its transcript file. The
// sessionId inside the lines can differ; the file name is right.
type SessionID string

// AgentID names a sub-agent: the part of its file name between "agent-" and
// ".jsonl".
type AgentID string

// IsUUID reports whether s has the form of a UUID, of any version.
func IsUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
		default:
			return false
		}
	}
	return true
}

// helperPrefixes begin the ids of agents the client starts for itself.
var helperPrefixes = []string{"acompact-", "aprompt_suggestion-", "aside_question-"}

// Helper reports whether the client runs the agent for its own purposes:
// compaction, prompt suggestions, side questions.
func (id AgentID) Helper() bool {
	for _, prefix := range helperPrefixes {
		if strings.HasPrefix(string(id), prefix) {
			return true
		}
	}
	return false
}
