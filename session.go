package sesskeep

import (
	"strings"
)

// SessionID names a session: the UUID its transcript file is called by. The
// sessionId written inside the lines can differ, and then the file name is right.
type SessionID string

// AgentID names a sub-agent: what stands between "agent-" and ".jsonl".
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

// Helper reports whether the agent is one the client runs for its own ends:
// compaction, prompt suggestions, side questions.
func (id AgentID) Helper() bool {
	for _, prefix := range helperPrefixes {
		if strings.HasPrefix(string(id), prefix) {
			return true
		}
	}
	return false
}
