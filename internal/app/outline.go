package app

import (
	"context"

	"sesskeep"
	read "sesskeep/internal/reading"
	"sesskeep/internal/view"
)

// OutlineItem is something one looks for in a conversation.
type OutlineItem struct {
	Kind      string `json:"kind" enum:"prompt,compaction,plan,error" doc:"What it is; plans and errors only with all=true"`
	Turn      int    `json:"turn" doc:"Which turn of the conversation it is of, counting from 0"`
	MessageID string `json:"messageId" doc:"uuid of its line"`
	Time      Stamp  `json:"timestamp,omitzero"`
	Text      string `json:"text,omitempty" doc:"Its beginning, on one line"`

	Compaction *view.Compaction `json:"compaction,omitempty" doc:"The tokens before and after it"`
}

// Outline is what one looks for in a conversation, in its order.
type Outline struct {
	SessionID string        `json:"sessionId"`
	AgentID   string        `json:"agentId,omitempty"`
	Root      string        `json:"root" doc:"The home"`
	Leaf      string        `json:"leaf,omitempty" doc:"The conversation, by its last line"`
	Items     []OutlineItem `json:"items"`
	Total     int           `json:"total"`
	TurnCount int           `json:"turnCount" doc:"Of the conversation"`
}

// OutlineOptions say which conversation, and how much of it is read.
type OutlineOptions struct {
	Leaf string // empty: the active one
	All  bool   // plans and errors too: every turn is read
}

// Outline lists the prompts and the compactions of a conversation.
func (a *App) Outline(ctx context.Context, t Target, o OutlineOptions) (out Outline, err error) {
	s, err := a.Read(ctx, t)
	if err != nil {
		return out, err
	}
	defer s.Close()
	span, err := s.Span(read.Window{Leaf: o.Leaf})
	if err != nil {
		return out, err
	}
	out = Outline{
		SessionID: string(t.Store.Parent(s.Ref)), AgentID: string(s.Agent()), Root: t.Store.Root(), Leaf: span.Conversation.Leaf,
		Items: []OutlineItem{}, TurnCount: len(span.Path()),
	}
	for i, turn := range span.Path() {
		t := &s.Transcript.Turns[turn]
		if o.All || t.Compacted {
			parts, err := s.Parts(ctx, turn)
			if err != nil {
				return out, err
			}
			out.addParts(parts, i, o)
		}
		if t.Prompt {
			l := &s.Transcript.Chain[t.Head]
			out.Items = append(out.Items, OutlineItem{Kind: "prompt", Turn: i, MessageID: l.UUID, Time: Stamp{Time: l.When()}, Text: clip(sesskeep.OneLine(l.Text), mostLine)})
		}
	}
	out.Total = len(out.Items)
	return out, nil
}

func (out *Outline) addParts(parts []view.Part, turn int, o OutlineOptions) {
	for i := range parts {
		p := &parts[i]
		item := OutlineItem{Turn: turn, MessageID: p.UUID, Time: Stamp{Time: p.Time}, Text: clip(sesskeep.OneLine(p.Text), mostLine)}
		switch {
		case p.Kind == view.BoundaryPart:
			item.Kind, item.Compaction = "compaction", p.Shift
		case !o.All:
			continue
		case p.Kind == view.CallPart && p.Call.Plan != "":
			item.Kind, item.Text = "plan", clip(p.Call.Summary, mostLine)
		case p.Kind == view.CallPart && p.Call.State == view.Failed:
			item.Kind, item.Text = "error", clip(callText(p.Call)+" "+p.Call.Outcome, mostLine)
		case p.Failed:
			item.Kind = "error"
		default:
			continue
		}
		out.Items = append(out.Items, item)
	}
}
