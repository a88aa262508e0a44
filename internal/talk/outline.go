package talk

import (
	"context"

	"sesskeep"
	"sesskeep/internal/catalog"
	"sesskeep/internal/reading"
	"sesskeep/internal/stamp"
	"sesskeep/internal/view"
)

// OutlineKind says what a landmark is.
type OutlineKind string

// The kinds of landmarks.
const (
	OutlinePrompt     OutlineKind = "prompt"
	OutlineCompaction OutlineKind = "compaction"
	OutlinePlan       OutlineKind = "plan"
	OutlineError      OutlineKind = "error"
)

// OutlineKinds lists all kinds of landmarks.
var OutlineKinds = []OutlineKind{OutlinePrompt, OutlineCompaction, OutlinePlan, OutlineError}

// OutlineItem is a landmark of a conversation.
type OutlineItem struct {
	Kind      OutlineKind `json:"kind" doc:"What the item is; plans and errors only with all=true"`
	Turn      int         `json:"turn" doc:"Number of the turn in the conversation, from 0"`
	MessageID string      `json:"messageId" doc:"uuid of its line"`
	Time      stamp.Time  `json:"timestamp,omitzero"` // when it was written
	Text      string      `json:"text,omitempty" doc:"Start of its text, on one line"`

	Compaction *view.Compaction `json:"compaction,omitempty" doc:"For a compaction: the tokens before and after it"`
}

// Outline lists the landmarks of a conversation, in its order.
type Outline struct {
	SessionID string        `json:"sessionId"`         // id of the session
	AgentID   string        `json:"agentId,omitempty"` // id of the agent, if it is one
	Root      string        `json:"root" doc:"Directory of the home"`
	Leaf      string        `json:"leaf,omitempty" doc:"Conversation, by the uuid of its last line"`
	Items     []OutlineItem `json:"items"` // landmarks of the conversation, in order
	Total     int           `json:"total"` // number of items
	Forks     []Fork        `json:"forks" doc:"Turns with alternatives"`
	MetaCount int           `json:"metaCount,omitempty" doc:"Number of blocks that the client inserted; with all=true"`
	TurnCount int           `json:"turnCount" doc:"Number of turns in the conversation"`
}

// Fork is a turn of a conversation that has siblings.
type Fork struct {
	Turn    int    `json:"turn"`      // number of the turn in the conversation, from 0
	Message string `json:"messageId"` // uuid of the turn's first line
	Ways    []Way  `json:"ways"`      // the turns to choose from, in the order they were written
}

// Way is one of the turns to choose from at a fork, with the subtree that starts there.
type Way struct {
	Message string     `json:"messageId"`          // uuid of the turn's first line
	Leaf    string     `json:"leaf"`               // conversation that shows the turn
	Here    bool       `json:"here,omitempty"`     // true for the turn of this conversation
	Text    string     `json:"text,omitempty"`     // start of its text
	Time    stamp.Time `json:"timestamp,omitzero"` // time of its first line
	Turns   int        `json:"turnCount"`          // number of turns from this one down
	Leaves  int        `json:"conversationCount"`  // number of conversations that have it
}

// OutlineOptions choose the conversation, and how much of it is read.
type OutlineOptions struct {
	Leaf string // empty: the active one
	All  bool   // plans and errors too: reads every turn
}

// Outline lists the prompts, the compactions and the forks of a conversation.
func (tk *Talk) Outline(ctx context.Context, t catalog.Target, o OutlineOptions) (out Outline, err error) {
	s, err := tk.catalog.Read(ctx, t)
	if err != nil {
		return out, err
	}
	defer s.Close()
	span, err := s.Span(reading.Window{Leaf: o.Leaf})
	if err != nil {
		return out, err
	}
	out = Outline{
		SessionID: string(t.Store.Parent(s.Ref)), AgentID: string(s.Agent()), Root: t.Store.Root(), Leaf: span.Conversation.Leaf,
		Items: []OutlineItem{}, Forks: []Fork{}, TurnCount: len(span.Path()),
	}
	count := subtrees(s.Transcript.Tree)
	for i, turn := range span.Path() {
		t := &s.Transcript.Tree.Turns[turn]
		if beside := siblingsOf(s.Transcript.Tree, turn); len(beside) > 1 {
			out.Forks = append(out.Forks, fork(s, i, turn, beside, count))
		}
		if o.All || t.Compacted {
			parts, err := s.Parts(ctx, turn)
			if err != nil {
				return out, err
			}
			out.addParts(parts, i, o)
		}
		if t.Prompt {
			l := &s.Transcript.Digest.Chain[t.Head]
			out.Items = append(out.Items, OutlineItem{Kind: OutlinePrompt, Turn: i, MessageID: l.UUID, Time: stamp.Time{Time: l.When()}, Text: clip(sesskeep.OneLine(l.Text), mostLine)})
		}
	}
	out.Total = len(out.Items)
	return out, nil
}

func (out *Outline) addParts(parts []view.Part, turn int, o OutlineOptions) {
	for i := range parts {
		p := &parts[i]
		item := OutlineItem{Turn: turn, MessageID: p.UUID, Time: stamp.Time{Time: p.Time}, Text: clip(sesskeep.OneLine(p.Text), mostLine)}
		switch {
		case p.Kind == view.BoundaryPart:
			item.Kind, item.Compaction = OutlineCompaction, p.Shift
		case !o.All:
			continue
		case p.Kind == view.MetaPart:
			out.MetaCount++
			continue
		case p.Kind == view.CallPart && p.Call.Plan != "":
			item.Kind, item.Text = OutlinePlan, clip(p.Call.Summary, mostLine)
		case p.Kind == view.CallPart && p.Call.State == view.Failed:
			item.Kind, item.Text = OutlineError, clip(p.Call.Line()+" "+p.Call.Outcome, mostLine)
		case p.Failed:
			item.Kind = OutlineError
		default:
			continue
		}
		out.Items = append(out.Items, item)
	}
}

// siblingsOf returns the turns with the same parent, including the turn itself.
func siblingsOf(tree *sesskeep.Tree, turn int) []int {
	if parent := tree.Turns[turn].Parent; parent >= 0 {
		return tree.Turns[parent].Children
	}
	return nil
}

// subtree counts a turn and everything below it.
type subtree struct{ turns, leaves int }

// subtrees counts the subtree of every turn. A turn comes after its parent.
func subtrees(tree *sesskeep.Tree) []subtree {
	count := make([]subtree, len(tree.Turns))
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

func fork(s *reading.Session, n, turn int, beside []int, count []subtree) Fork {
	t := s.Transcript
	out := Fork{Turn: n, Message: turnID(&t.Digest, &t.Tree.Turns[turn])}
	for _, b := range beside {
		way := Way{
			Message: turnID(&t.Digest, &t.Tree.Turns[b]), Here: b == turn, Turns: count[b].turns, Leaves: count[b].leaves,
		}
		if head := t.Tree.Turns[b].Head; head >= 0 {
			way.Text, way.Time = t.Digest.Chain[head].Text, stamp.Time{Time: t.Digest.Chain[head].When()}
		}
		if number := s.Number(s.LeafBelow(b)); number > 0 {
			way.Leaf = t.Tree.Conversations[len(t.Tree.Conversations)-number].Leaf
		}
		out.Ways = append(out.Ways, way)
	}
	return out
}
