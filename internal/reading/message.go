package reading

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sesskeep"
	"sesskeep/internal/view"
)

// MessageKind says whose message it is, and of what kind.
type MessageKind uint8

// The kinds of messages.
const (
	UserMessage MessageKind = iota
	AssistantMessage
	ThinkingMessage
	CallMessage   // a call, with its result if there is one
	ResultMessage // a result without a call
	SystemMessage
	messageKinds = iota
)

// Message is a part of a conversation that is shown, with a name of its own.
type Message struct {
	// ID is the uuid of the line it comes from. Where a line has several
	// messages, a number follows from the second on: UUID.2. A line without a
	// uuid is line-N.
	ID   string
	Kind MessageKind
	Part view.Part
}

// kindOf returns the kind of the message that a part is. Context for the model and
// withheld thoughts are not messages.
func kindOf(p *view.Part) (MessageKind, bool) {
	switch p.Kind {
	case view.PromptPart, view.ImagePart, view.DocumentPart:
		return UserMessage, true
	case view.TextPart:
		return AssistantMessage, true
	case view.ThinkingPart:
		return ThinkingMessage, p.Text != ""
	case view.CallPart:
		return CallMessage, true
	case view.MetaPart:
		return 0, false
	}
	if p.Call != nil {
		return ResultMessage, true
	}
	return SystemMessage, true
}

// Messages reads the messages of a turn.
func (s *Session) Messages(ctx context.Context, turn int) ([]Message, error) {
	parts, err := s.Parts(ctx, turn)
	if err != nil {
		return nil, err
	}
	var list []Message
	seen := map[string]int{}
	for i := range parts {
		kind, shown := kindOf(&parts[i])
		if !shown {
			continue
		}
		id := parts[i].UUID
		if id == "" {
			id = fmt.Sprintf("line-%d", parts[i].Line)
		}
		if seen[id]++; seen[id] > 1 {
			id = fmt.Sprintf("%s.%d", id, seen[id])
		}
		list = append(list, Message{ID: id, Kind: kind, Part: parts[i]})
	}
	return list, nil
}

// TurnOf returns the turn of a message by its whole ID. The error is
// sesskeep.ErrNotFound.
func (s *Session) TurnOf(id string) (int, error) {
	t, name := s.Transcript, id
	if i := strings.LastIndexByte(id, '.'); i >= 0 {
		name = id[:i]
	}
	for turn := range t.Tree.Turns {
		if slices.ContainsFunc(t.Tree.Turns[turn].Lines, func(i int) bool {
			l := &t.Digest.Chain[i]
			return l.UUID == name && name != "" || l.UUID == "" && fmt.Sprintf("line-%d", l.Line) == name
		}) {
			return turn, nil
		}
	}
	return -1, &sesskeep.Error{Op: "find message", Name: id, Err: sesskeep.ErrNotFound}
}
