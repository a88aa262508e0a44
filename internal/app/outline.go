package app

import (
	"context"
	"slices"

	"sesskeep"
	read "sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// Outline is what is where in a conversation.
type Outline struct {
	SessionID string        `json:"sessionId"`
	Leaf      string        `json:"leaf,omitempty"`
	Turns     int           `json:"turnCount"`
	Items     []OutlineItem `json:"items"` // in the order of the conversation
	Forks     []Fork        `json:"forks"`
	Meta      int           `json:"metaCount,omitempty"` // blocks the client put in; told with failures
}

// OutlineItem is a place one looks for.
type OutlineItem struct {
	Kind    string `json:"kind" enum:"prompt,compaction,failure"`
	Turn    int    `json:"turn"`      // of the conversation, counting from 0
	Message string `json:"messageId"` // to go to
	Text    string `json:"text,omitempty"`
	Time    Stamp  `json:"timestamp,omitzero"`

	Compaction *view.Compaction `json:"compaction,omitempty" doc:"The tokens before and after it"`
}

// Fork is a turn of a conversation that others have beside it.
type Fork struct {
	Turn    int    `json:"turn"`
	Message string `json:"messageId"`
	Step    int    `json:"step" doc:"Which of the ways this conversation goes, counting from 1"`
	Total   int    `json:"total" doc:"How many ways there are"`
	Ways    []Way  `json:"ways" doc:"In the order they were written; at most the nearest 50"`
}

// Way is one of the turns that follow a fork, with what follows it.
type Way struct {
	Message string `json:"messageId"`
	Leaf    string `json:"leaf"` // of the conversation it is shown in
	Here    bool   `json:"here,omitempty"`
	Text    string `json:"text,omitempty"`
	Time    Stamp  `json:"timestamp,omitzero"`
	Turns   int    `json:"turnCount"` // it and all below
	Leaves  int    `json:"conversationCount"`
}

// OutlineOptions say what is told.
type OutlineOptions struct {
	Leaf     string // of the conversation; empty: the active one
	Failures bool   // also what went wrong, for which all of it is read
}

// OutlineOf tells what is where in a conversation. Errors are those of Span.
func OutlineOf(ctx context.Context, s *read.Session, o OutlineOptions) (Outline, error) {
	span, err := s.Span(read.Window{Leaf: o.Leaf})
	if err != nil {
		return Outline{}, err
	}
	out := Outline{
		SessionID: s.Ref.ID(), Leaf: span.Conversation.Leaf, Turns: len(span.Turns()), Items: []OutlineItem{}, Forks: []Fork{},
	}
	count := subtrees(s.Transcript.Tree)
	for n, t := range span.Turns() {
		if s.Transcript.Turns[t].Compacted {
			parts, err := s.Parts(ctx, t)
			if err != nil {
				return out, err
			}
			out.compaction(s.Transcript, n, t, parts)
		}
		out.prompt(s.Transcript, n, t)
		if beside := siblings(s.Transcript.Tree, t); len(beside) > 1 {
			out.Forks = append(out.Forks, fork(s, n, t, beside, count))
		}
		if o.Failures {
			parts, err := s.Parts(ctx, t)
			if err != nil {
				return out, err
			}
			out.failures(n, parts)
		}
	}
	return out, nil
}

// compaction adds the one that lies before a turn.
func (out *Outline) compaction(t *sesskeep.Transcript, n, turn int, parts []view.Part) {
	at := &t.Turns[turn]
	item := OutlineItem{Kind: "compaction", Turn: n, Message: turnID(&t.Digest, at), Time: Stamp{Time: turnTime(&t.Digest, at)}}
	for i := range parts {
		if parts[i].Kind == view.BoundaryPart {
			item.Compaction = parts[i].Shift
		}
	}
	out.Items = append(out.Items, item)
}

// prompt adds the one that begins a turn.
func (out *Outline) prompt(t *sesskeep.Transcript, n, turn int) {
	if at := &t.Turns[turn]; at.Prompt {
		l := &t.Chain[at.Head]
		out.Items = append(out.Items, OutlineItem{Kind: "prompt", Turn: n, Message: turnID(&t.Digest, at), Time: Stamp{Time: l.When()}, Text: l.Text})
	}
}

// failures adds what went wrong in a turn.
func (out *Outline) failures(n int, parts []view.Part) {
	for i := range parts {
		p := &parts[i]
		if p.Kind == view.MetaPart {
			out.Meta++
		}
		if !p.Wrong() {
			continue
		}
		text := p.Text
		if p.Call != nil {
			text = p.Call.Short + " " + p.Call.Summary
		}
		out.Items = append(out.Items, OutlineItem{Kind: "failure", Turn: n, Message: p.UUID, Text: view.Cut(text, longestItem), Time: Stamp{Time: p.Time}})
	}
}

// longestItem is how many bytes the text of an item has at most.
const longestItem = 200

// siblings are the turns that hang where a turn does, itself among them.
func siblings(tree *sesskeep.Tree, turn int) []int {
	if parent := tree.Turns[turn].Parent; parent >= 0 {
		return tree.Turns[parent].Children
	}
	return nil
}

// below is what hangs below a turn, itself included.
type below struct{ turns, leaves int }

// subtrees counts what is below every turn. A turn comes after its parent.
func subtrees(tree *sesskeep.Tree) []below {
	count := make([]below, len(tree.Turns))
	for t := len(tree.Turns) - 1; t >= 0; t-- {
		count[t].turns++
		if len(tree.Turns[t].Children) == 0 {
			count[t].leaves++
		}
		if p := tree.Turns[t].Parent; p >= 0 {
			count[p].turns += count[t].turns
			count[p].leaves += count[t].leaves
		}
	}
	return count
}

// mostWays is how many ways of a fork are told.
const mostWays = 50

func fork(s *read.Session, n, turn int, beside []int, count []below) Fork {
	t := s.Transcript
	out := Fork{Turn: n, Message: turnID(&t.Digest, &t.Turns[turn]), Step: slices.Index(beside, turn) + 1, Total: len(beside)}
	from := max(0, min(out.Step-mostWays/2, len(beside)-mostWays))
	for _, b := range beside[from:min(len(beside), from+mostWays)] {
		way := Way{
			Message: turnID(&t.Digest, &t.Turns[b]), Here: b == turn, Turns: count[b].turns, Leaves: count[b].leaves,
		}
		if head := t.Turns[b].Head; head >= 0 {
			way.Text, way.Time = t.Chain[head].Text, Stamp{Time: t.Chain[head].When()}
		}
		if number := s.Number(s.LeafBelow(b)); number > 0 {
			way.Leaf = t.Conversations[len(t.Conversations)-number].Leaf
		}
		out.Ways = append(out.Ways, way)
	}
	return out
}
