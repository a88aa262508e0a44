package reading

import (
	"errors"
	"slices"
	"strings"

	"sesskeep"
)

// InlineAgent opens an agent that a client of 1.0 wrote into the session's file,
// by the uuid of its first line. The caller must close both.
func (s *Session) InlineAgent(root string) (*Session, error) {
	t := s.Transcript
	n := slices.IndexFunc(t.Tree.Inline, func(lines []int) bool { return t.Digest.Chain[lines[0]].UUID == root })
	if n < 0 {
		return nil, &sesskeep.Error{Op: "find agent", Name: root, Err: sesskeep.ErrNotFound}
	}
	if _, err := s.hold(); err != nil {
		return nil, err
	}
	return &Session{Transcript: t.InlineAgent(n), Ref: s.Ref, Inline: root, number: n + 1, pool: s.pool, store: s.store, version: s.version}, nil
}

// Agent returns the id of the agent that the session is, or "" if it is none.
func (s *Session) Agent() sesskeep.AgentID {
	if s.number > 0 {
		return sesskeep.InlineAgent(s.number)
	}
	return s.Ref.Agent
}

// InlineRoots lists the agents inside the session's file that an address can mean,
// by their first lines: the one with that number, as in inline-2, or those whose
// first line's uuid starts with it.
func (s *Session) InlineRoots(prefix string) []string {
	var found []string
	if n := sesskeep.AgentID(prefix).Inline(); n > 0 && n <= len(s.Transcript.Tree.Inline) {
		return []string{s.Transcript.Digest.Chain[s.Transcript.Tree.Inline[n-1][0]].UUID}
	}
	for _, lines := range s.Transcript.Tree.Inline {
		if uuid := s.Transcript.Digest.Chain[lines[0]].UUID; len(prefix) >= MinPrefix && strings.HasPrefix(uuid, prefix) {
			found = append(found, uuid)
		}
	}
	return found
}

// InlineOf returns the first line of the agent inside the session's file that has a
// message, given as in Find, or "" if the session itself may have it.
func (s *Session) InlineOf(message string) string {
	t := s.Transcript
	if len(t.Tree.Inline) == 0 || message == "" {
		return ""
	}
	if _, err := s.Find(message); !errors.Is(err, sesskeep.ErrNotFound) {
		return ""
	}
	for _, lines := range t.Tree.Inline {
		if slices.ContainsFunc(lines, func(i int) bool { return named(t.Digest.Chain[i].UUID, message) }) {
			return t.Digest.Chain[lines[0]].UUID
		}
	}
	return ""
}

// named reports whether message is a uuid or the start of it.
func named(uuid, message string) bool {
	return uuid == message || len(message) >= MinPrefix && strings.HasPrefix(uuid, message)
}
