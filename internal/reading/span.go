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

// Turns are the turns of the Span.
func (s Span) Turns() []int { return s.path[s.from:s.to] }

// Before and After count the turns of the conversation on either side.
func (s Span) Before() int { return s.from }

// After counts the turns of the conversation after the Span.
func (s Span) After() int { return len(s.path) - s.to }

// Earlier is the Span of at most n turns right before this one.
func (s Span) Earlier(n int) Span {
	s.from, s.to = max(0, s.from-n), s.from
	return s
}

// Later is the Span of at most n turns right after this one.
func (s Span) Later(n int) Span {
	s.from, s.to = s.to, min(len(s.path), s.to+n)
	return s
}

// Window says which part of a conversation is wanted. The zero Window is all of
// the conversation a resume would continue.
type Window struct {
	Leaf    string // of another conversation; see FindLeaf
	Message string // show the turns around it; see Find
	Prompts int    // without a message: the last prompts and what followed; 0: all
	Turns   int    // at most so many turns, the last ones; 0: all
}

// aroundTurns is how many turns stand on either side of a message.
const aroundTurns = 3

// Span finds what a Window shows. A session in which nothing was said has no
// turns.
func (s *Session) Span(w Window) (Span, error) {
	at, err := s.Locate(w.Leaf, w.Message)
	if err != nil {
		return Span{}, err
	}
	number := s.Number(at.Leaf)
	if number == 0 {
		return Span{}, nil
	}
	list := s.Transcript.Conversations
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
		if t.Turns[turn].Prompt {
			prompts--
		}
		if prompts == 0 {
			s.from = i
			return
		}
	}
}
