package talk

import (
	"context"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// Comparison is two conversations from where they diverge.
type Comparison struct {
	Shared int    `json:"sharedTurns"`         // number of turns that both have in common
	Fork   string `json:"forkPoint,omitempty"` // uuid of the last turn in common
	A      Side   `json:"a"`                   // the first conversation after the fork
	B      Side   `json:"b"`                   // the second conversation after the fork
}

// Side is one of two compared conversations.
type Side struct {
	SessionID string      `json:"sessionId"`            // id of the session
	Root      string      `json:"root"`                 // directory of the home
	Leaf      string      `json:"leaf,omitempty"`       // uuid of the last line of the conversation
	Name      string      `json:"name,omitempty"`       // name of the conversation
	Turns     int         `json:"turnCount"`            // number of turns after the fork
	Prompts   int         `json:"promptCount"`          // number of prompts after the fork
	Blocks    []view.Part `json:"blocks"`               // what a reader sees after the fork
	After     int         `json:"turnsAfter,omitempty"` // number of turns that were left out
}

// CompareOptions limit how much is shown.
type CompareOptions struct {
	Turns int // of each side; 0: all
}

// Compare finds where two conversations diverge and reads what follows in each. They
// may be of one session, or of a session and its fork: turns are the same if their
// first lines have the same uuid. If a leaf does not exist, the error is
// [errcode.NotFound].
func (tk *Talk) Compare(ctx context.Context, one, other catalog.Target, o CompareOptions) (c Comparison, err error) {
	left, err := tk.openSide(ctx, one)
	if err != nil {
		return c, err
	}
	defer left.session.Close()
	right, err := tk.openSide(ctx, other)
	if err != nil {
		return c, err
	}
	defer right.session.Close()
	for c.Shared < min(len(left.turns), len(right.turns)) && left.name(c.Shared) == right.name(c.Shared) {
		c.Fork = left.name(c.Shared)
		c.Shared++
	}
	if c.A, err = left.side(ctx, c.Shared, o); err == nil {
		c.B, err = right.side(ctx, c.Shared, o)
	}
	return c, err
}

// side is a conversation that is compared.
type side struct {
	session *reading.Session
	target  catalog.Target
	span    reading.Span
	turns   []int
}

func (tk *Talk) openSide(ctx context.Context, t catalog.Target) (*side, error) {
	s, err := tk.catalog.Read(ctx, t)
	if err != nil {
		return nil, err
	}
	span, err := s.Span(reading.Window{Leaf: t.Leaf})
	if err != nil {
		s.Close()
		return nil, err
	}
	return &side{s, t, span, span.Turns()}, nil
}

// name returns the uuid that identifies a turn of the conversation.
func (b *side) name(i int) string {
	return turnID(&b.session.Transcript.Digest, &b.session.Transcript.Tree.Turns[b.turns[i]])
}

// side reads what is not shared.
func (b *side) side(ctx context.Context, shared int, o CompareOptions) (Side, error) {
	own := b.turns[shared:]
	s := Side{
		SessionID: b.target.Ref.ID(), Root: b.target.Store.Root(), Leaf: b.span.Conversation.Leaf,
		Turns: len(own), Blocks: []view.Part{},
	}
	for _, turn := range own {
		if t := &b.session.Transcript.Tree.Turns[turn]; t.Prompt {
			if s.Prompts++; s.Name == "" {
				s.Name = sesskeep.OneLine(b.session.Transcript.Digest.Chain[t.Head].Text)
			}
		}
	}
	if o.Turns > 0 && len(own) > o.Turns {
		s.After = len(own) - o.Turns
		own = own[:o.Turns]
	}
	parts, err := b.session.All(ctx, own)
	s.Blocks = append(s.Blocks, parts...)
	return s, err
}
