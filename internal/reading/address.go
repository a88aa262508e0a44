package reading

import (
	"fmt"
	"slices"
	"strings"

	"sesskeep"
)

// Ambiguous is the error for an address that matches more than one thing.
type Ambiguous struct {
	Address    string
	Candidates []string
}

// maxCandidates bounds what an error lists.
const maxCandidates = 10

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("%s matches more than one: %s", e.Address, someOf(e.Candidates))
}

func someOf(list []string) string {
	more := ""
	if len(list) > maxCandidates {
		more = fmt.Sprintf(" and %d more", len(list)-maxCandidates)
		list = list[:maxCandidates]
	}
	return strings.Join(list, ", ") + more
}

// Is makes it an [sesskeep.ErrAmbiguous].
func (e *Ambiguous) Is(target error) bool { return target == sesskeep.ErrAmbiguous }

// TooShort is the error for an address of fewer characters than MinPrefix that
// matches the start of sessions.
type TooShort struct {
	Address    string
	Candidates []string
}

func (e *TooShort) Error() string {
	return fmt.Sprintf("%s is too short for an address, which needs %d characters: it could be %s", e.Address, MinPrefix, someOf(e.Candidates))
}

// Is makes it an [sesskeep.ErrNotFound].
func (e *TooShort) Is(target error) bool { return target == sesskeep.ErrNotFound }

// MinPrefix is the least number of characters that stand for a whole id.
const MinPrefix = 4

// Find returns the turn of a message, which is given by the uuid of one of its
// lines or by at least MinPrefix characters that only one uuid starts with. The
// error is sesskeep.ErrNotFound or sesskeep.ErrAmbiguous.
func (s *Session) Find(message string) (turn int, err error) {
	t := s.Transcript
	var found []string
	at := -1
	for turn := range t.Tree.Turns {
		for _, i := range t.Tree.Turns[turn].Lines {
			uuid := t.Digest.Chain[i].UUID
			if uuid == message {
				return turn, nil
			}
			if named(uuid, message) {
				found, at = append(found, uuid), turn
			}
		}
	}
	switch len(found) {
	case 0:
		return -1, &sesskeep.Error{Op: "find message", Name: message, Err: sesskeep.ErrNotFound}
	case 1:
		return at, nil
	}
	return -1, &Ambiguous{Address: message, Candidates: found}
}

// FindLeaf returns the last turn of a conversation, which is given by the uuid of
// its leaf or the start of it, or by any of its messages as in Find.
func (s *Session) FindLeaf(leaf string) (turn int, err error) {
	var found []sesskeep.Conversation
	for _, c := range s.Transcript.Tree.Conversations {
		if strings.HasPrefix(c.Leaf, leaf) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		turn, err := s.Find(leaf)
		if err != nil {
			return -1, &sesskeep.Error{Op: "find conversation", Name: leaf, Err: sesskeep.ErrNotFound}
		}
		return s.LeafBelow(turn), nil
	case 1:
		return found[0].Turn, nil
	}
	e := &Ambiguous{Address: leaf}
	for _, c := range found {
		e.Candidates = append(e.Candidates, c.Leaf)
	}
	return -1, e
}

// Location is a position in a session: a conversation by its last turn, and a turn of
// it, or -1 for its end.
type Location struct {
	Leaf int
	Turn int
}

// Locate finds a position by the leaf of a conversation and a message. Either may be
// empty: the conversation is then the one that the message is shown in, or the
// one that a resume would continue. A message that is not in the given
// conversation is shown in one that has it. With an error, Locate still returns
// the position if it is known.
func (s *Session) Locate(leaf, message string) (Location, error) {
	at := Location{Leaf: s.ActiveLeaf(), Turn: -1}
	if leaf != "" {
		turn, err := s.FindLeaf(leaf)
		if err != nil {
			return at, err
		}
		at.Leaf = turn
	}
	if message == "" {
		return at, nil
	}
	turn, err := s.Find(message)
	if err != nil {
		return at, err
	}
	at.Turn = turn
	if leaf == "" || !slices.Contains(s.PathTo(at.Leaf), at.Turn) {
		at.Leaf = s.LeafBelow(at.Turn)
	}
	return at, nil
}
