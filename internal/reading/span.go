package reading

import (
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

// At returns the Span of one turn of the conversation, the one of a message, or
// nothing if that is on another one.
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
