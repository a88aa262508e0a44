package catalog

import (
	"context"

	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index"
	"sesskeep/internal/paging"
)

// ConversationPage is a list of conversations.
type ConversationPage struct {
	Root          string             `json:"root,omitempty"` // directory of the home
	Conversations []ask.Conversation `json:"conversations"`  // conversations, newest first
	Total         int                `json:"total"`          // number of conversations on all pages
	HasMore       bool               `json:"hasMore"`        // true if there are more pages
	Next          string             `json:"next,omitempty"` // cursor of the next page
	ask.Covered
}

// Conversations lists the conversations of all sessions of a project that people or
// programs started, newest first. For a cursor of another list the error is
// [errcode.Invalid].
func (c *Snapshot) Conversations(ctx context.Context, project string, s paging.Slice) (page ConversationPage, err error) {
	var all []ask.Conversation
	covered, err := c.catalog.index.AskCovered(ctx, true, func(x *index.Index) (err error) {
		all, err = x.Conversations(ctx, project)
		return err
	})
	if err != nil {
		return page, err
	}
	page.Covered = ask.NewCovered(covered)
	page.Total = len(all)
	page.Conversations, page.Next, err = paging.CutAfter(all, s, cursor.Hash("conversations", project), func(c *ask.Conversation) cursor.Cursor {
		return cursor.Cursor{Number: c.LastActivity.UnixMilli(), Text: c.SessionID, Key: c.Leaf}
	})
	page.HasMore = page.Next != ""
	return page, err
}
