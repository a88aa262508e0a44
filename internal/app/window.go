package app

import (
	"slices"
	"strings"

	"sesskeep"
)

// Span is a part of a conversation.
type Span struct {
	Conversation sesskeep.Conversation
	Number       int   // of the conversation, the newest is 1
	Turns        []int // the turns to show
	Skipped      int   // turns of the conversation before them
	After        int   // and after them
}

// aroundTurns is how many turns stand on either side of a message asked for.
const aroundTurns = 3

// Window chooses what to show of a transcript: the conversation whose leaf
// starts with leaf, or that holds the message, or the active one; of it the
// turns around the message, or the last prompts, or all.
func Window(t *sesskeep.Transcript, leaf, message string, last int) (Span, error) {
	at := t.Active
	turn := -1
	var err error
	switch {
	case leaf != "":
		at, err = findLeaf(t, leaf)
	case message != "":
		turn, err = findMessage(t, message)
	}
	if err != nil {
		return Span{}, err
	}
	if leaf != "" && message != "" {
		if turn, err = findMessage(t, message); err != nil {
			return Span{}, err
		}
	}
	if turn >= 0 && leaf == "" {
		at = holding(t, turn)
	}
	if at < 0 {
		return Span{Turns: []int{}}, nil // nothing was said
	}
	s := Span{Conversation: t.Conversations[at], Number: len(t.Conversations) - at}
	s.Turns = t.Path(s.Conversation)
	switch {
	case turn >= 0:
		s.around(slices.Index(s.Turns, turn))
	case last > 0:
		s.last(t, last)
	}
	return s, nil
}

// findLeaf finds a conversation by its leaf, or by any of its messages.
func findLeaf(t *sesskeep.Transcript, prefix string) (int, error) {
	var found []int
	for i, c := range t.Conversations {
		if strings.HasPrefix(c.Leaf, prefix) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		turn, err := findMessage(t, prefix)
		if err != nil {
			return 0, &sesskeep.Error{Op: "find conversation", Name: prefix, Err: sesskeep.ErrNotFound}
		}
		return holding(t, turn), nil
	case 1:
		return found[0], nil
	}
	e := &Ambiguous{Address: prefix}
	for _, i := range found {
		e.Candidates = append(e.Candidates, t.Conversations[i].Leaf)
	}
	return 0, e
}

// findMessage finds the turn that a line belongs to.
func findMessage(t *sesskeep.Transcript, prefix string) (int, error) {
	var found []string
	at := -1
	for turn := range t.Turns {
		for _, i := range t.Turns[turn].Lines {
			uuid := t.Chain[i].UUID
			if uuid == prefix {
				return turn, nil
			}
			if len(prefix) >= minPrefix && strings.HasPrefix(uuid, prefix) {
				found, at = append(found, uuid), turn
			}
		}
	}
	switch len(found) {
	case 0:
		return 0, &sesskeep.Error{Op: "find message", Name: prefix, Err: sesskeep.ErrNotFound}
	case 1:
		return at, nil
	}
	return 0, &Ambiguous{Address: prefix, Candidates: found}
}

// holding is the conversation to show a turn in: the active one if it passes
// there, else the newest that does.
func holding(t *sesskeep.Transcript, turn int) int {
	passes := func(c sesskeep.Conversation) bool { return slices.Contains(t.Path(c), turn) }
	if t.Active >= 0 && passes(t.Conversations[t.Active]) {
		return t.Active
	}
	for i, c := range slices.Backward(t.Conversations) {
		if passes(c) {
			return i
		}
	}
	return t.Active
}

func (s *Span) around(at int) {
	if at < 0 {
		return
	}
	from, to := max(0, at-aroundTurns), min(len(s.Turns), at+aroundTurns+1)
	s.Skipped, s.After = from, len(s.Turns)-to
	s.Turns = s.Turns[from:to]
}

func (s *Span) last(t *sesskeep.Transcript, prompts int) {
	for i, turn := range slices.Backward(s.Turns) {
		if t.Turns[turn].Prompt {
			prompts--
		}
		if prompts == 0 {
			s.Skipped = i
			s.Turns = s.Turns[i:]
			return
		}
	}
}
