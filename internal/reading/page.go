package reading

import (
	"context"

	"sesskeep/internal/view"
)

// Page is a stretch of a conversation for other programs. It is what
// "show --json" writes; docs/json.md describes it.
type Page struct {
	SessionID string      `json:"sessionId"`
	AgentID   string      `json:"agentId,omitempty"`
	Root      string      `json:"root"` // the home
	Leaf      string      `json:"leaf,omitempty"`
	Title     string      `json:"title,omitempty"`
	Blocks    []view.Part `json:"blocks"`
	Skipped   int         `json:"turnsBefore"`          // before the first block
	Turns     int         `json:"turnCount"`            // that the blocks are of
	After     int         `json:"turnsAfter,omitempty"` // after the last block
}

// Page reads a Span.
func (s *Session) Page(ctx context.Context, span Span) (Page, error) {
	title, err := s.Title(ctx)
	if err != nil {
		return Page{}, err
	}
	page := Page{
		SessionID: string(s.store.Parent(s.Ref)), AgentID: string(s.Agent()), Root: s.store.Root(), Leaf: span.Conversation.Leaf,
		Title: title, Blocks: []view.Part{}, Skipped: span.Before(), Turns: len(span.Turns()), After: span.After(),
	}
	parts, err := s.All(ctx, span.Turns())
	page.Blocks = append(page.Blocks, parts...)
	return page, err
}
