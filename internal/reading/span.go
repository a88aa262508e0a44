package reading

import (
	"fmt"
	"slices"

	"sesskeep"
)

// Span is a stretch of a conversation.
type Span struct {
	Conversation sesskeep.Conversation
	Number       int // of the conversation, the newest is 1

	path     []int // all turns of the conversation
	from, to int   // what of it the Span has
}

// Turns lists the turns of the Span.
func (s Span) Turns() []int { return s.path[s.from:s.to] }

// Path lists all turns of the conversation.
func (s Span) Path() []int { return s.path }

// Before returns how many turns of the conversation come before the Span.
func (s Span) Before() int { return s.from }

// After returns how many turns of the conversation come after the Span.
func (s Span) After() int { return len(s.path) - s.to }

// Earlier returns the Span of at most n turns right before this one.
func (s Span) Earlier(n int) Span {
	s.from, s.to = max(0, s.from-n), s.from
	return s
}

// Later returns the Span of at most n turns right after this one.
func (s Span) Later(n int) Span {
	s.from, s.to = s.to, min(len(s.path), s.to+n)
	return s
}

// Grow returns the Span with at most this many turns more on each side.
func (s Span) Grow(before, after int) Span {
	s.from, s.to = max(0, s.from-before), min(len(s.path), s.to+after)
	return s
}

// Stretch returns the Span of at most n turns from the given one of the
// conversation, counting from 0.
func (s Span) Stretch(from, n int) Span {
	s.from = min(max(0, from), len(s.path))
	s.to = min(len(s.path), s.from+max(0, n))
	return s
}

// At returns the Span of a single turn. It is empty if the turn belongs to another
// conversation.
func (s Span) At(turn int) Span {
	i := slices.Index(s.path, turn)
	if i < 0 {
		s.from, s.to = 0, 0
		return s
	}
	s.from, s.to = i, i+1
	return s
}

// Window selects a part of a conversation. The zero Window selects all of the
// conversation that a resume would continue.
type Window struct {
	Leaf    string // selects another conversation; see FindLeaf
	Message string // selects the turns around a message; see Find
	Prompts int    // without a message: only the last prompts and what followed; 0: all
	Turns   int    // only the last turns of the selection; 0: all
}

// aroundTurns is how many turns stand on either side of a message.
const aroundTurns = 3

// Span returns what a Window selects. It has no turns if nothing was said in the
// session.
func (s *Session) Span(w Window) (Span, error) {
	at, err := s.Locate(w.Leaf, w.Message)
	if err != nil {
		return Span{}, err
	}
	number := s.Number(at.Leaf)
	if number == 0 {
		return Span{}, nil
	}
	list := s.Transcript.Tree.Conversations
	span := Span{Conversation: list[len(list)-number], Number: number, path: s.PathTo(at.Leaf)}
	span.to = len(span.path)
	switch {
	case at.Turn >= 0:
		span.around(slices.Index(span.path, at.Turn))
	case w.Prompts > 0:
		span.last(s.Transcript, w.Prompts)
	}
	if w.Turns > 0 {
		span.from = max(span.from, span.to-w.Turns)
	}
	return span, nil
}

func (s *Span) around(at int) {
	if at >= 0 {
		s.from, s.to = max(0, at-aroundTurns), min(len(s.path), at+aroundTurns+1)
	}
}

func (s *Span) last(t *sesskeep.Transcript, prompts int) {
	for i, turn := range slices.Backward(s.path) {
		if t.Tree.Turns[turn].Prompt {
			prompts--
		}
		if prompts == 0 {
			s.from = i
			return
		}
	}
}

// Between returns the Span from one message to another, each given as in Find; without a
// first one from the start, and without a second one to the end of the conversation. leaf
// selects the conversation, as in FindLeaf; without it, it is one that has both messages.
// Messages that no conversation has together are [sesskeep.ErrNotFound].
func (s *Session) Between(leaf, from, to string) (Span, error) {
	first, last := -1, -1
	for _, end := range []struct {
		message string
		turn    *int
	}{{from, &first}, {to, &last}} {
		if end.message == "" {
			continue
		}
		turn, err := s.Find(end.message)
		if err != nil {
			return Span{}, err
		}
		*end.turn = turn
	}
	span, ok, err := s.spanOf(leaf, first, last)
	if err != nil || ok {
		return span, err
	}
	return Span{}, &sesskeep.Error{Op: fmt.Sprintf("find a conversation with %s and", from), Name: to, Err: sesskeep.ErrNotFound}
}

// spanOf returns the Span between two turns, and false if the conversation lacks one.
func (s *Session) spanOf(leaf string, first, last int) (Span, bool, error) {
	leaves := []int{s.ActiveLeaf()}
	if leaf != "" {
		turn, err := s.FindLeaf(leaf)
		if err != nil {
			return Span{}, false, err
		}
		leaves = []int{turn}
	}
	for _, turn := range []int{last, first} {
		if leaf == "" && turn >= 0 {
			leaves = append(leaves, s.LeafBelow(turn))
		}
	}
	for _, turn := range leaves {
		number := s.Number(turn)
		if number == 0 {
			continue
		}
		span := Span{Conversation: s.Transcript.Tree.Conversations[len(s.Transcript.Tree.Conversations)-number], Number: number, path: s.PathTo(turn)}
		if span.cut(first, last) {
			return span, true, nil
		}
	}
	return Span{}, false, nil
}

// cut keeps the turns from one to another, in whichever order they are given; -1 is an end
// of the conversation. It returns false if the conversation lacks one.
func (s *Span) cut(first, last int) bool {
	from, to := 0, len(s.path)-1
	if first >= 0 {
		from = slices.Index(s.path, first)
	}
	if last >= 0 {
		to = slices.Index(s.path, last)
	}
	if from < 0 || to < 0 {
		return false
	}
	s.from, s.to = min(from, to), max(from, to)+1
	return true
}
