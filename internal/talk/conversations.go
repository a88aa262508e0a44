package talk

import (
	"context"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/cursor"
	"sesskeep/internal/index"
	"sesskeep/internal/paging"
	"sesskeep/internal/reading"
)

// ConversationPage is a list of conversations.
type ConversationPage struct {
	Root          string             `json:"root,omitempty"` // directory of the home
	Conversations []ask.Conversation `json:"conversations"`  // conversations, newest first
	Total         int                `json:"total"`          // number of conversations on all pages
	HasMore       bool               `json:"hasMore"`        // true if there are more pages
	Next          string             `json:"next,omitempty"` // cursor of the next page
}

// Conversations lists the conversations of one transcript, newest first. Found are
// summaries from other files, by leaf.
func Conversations(id string, d *sesskeep.Digest, tree *sesskeep.Tree, found map[string]string) []ask.Conversation {
	return index.Conversations(id, d, tree, found)
}

// Branches lists the conversations of a session that is being read.
func Branches(ctx context.Context, s *reading.Session) ([]ask.Conversation, error) {
	found, err := s.Summaries(ctx)
	if err != nil {
		return nil, err
	}
	return Conversations(s.Ref.ID(), &s.Transcript.Digest, s.Transcript.Tree, found), nil
}

// ProjectConversations lists the conversations of all sessions of a project that
// people or programs started, newest first. For a cursor of another list the error is
// [errcode.Invalid].
func (tk *Talk) ProjectConversations(ctx context.Context, project string, s paging.Slice) (page ConversationPage, err error) {
	var all []ask.Conversation
	err = tk.index.Ask(ctx, true, func(x *index.Index) (err error) {
		all, err = x.Conversations(ctx, project)
		return err
	})
	if err != nil {
		return page, err
	}
	page.Total = len(all)
	page.Conversations, page.Next, err = paging.CutAfter(all, s, cursor.Hash("conversations", project), func(c *ask.Conversation) cursor.Cursor {
		return cursor.Cursor{Number: c.LastActivity.UnixMilli(), Text: c.SessionID, Key: c.Leaf}
	})
	page.HasMore = page.Next != ""
	return page, err
}
