package app

import (
	"context"

	"sesskeep"
	"sesskeep/internal/index"
	read "sesskeep/internal/reading"
)

// What the index tells of conversations.
type (
	Conversation     = index.Conversation
	ConversationPage = index.ConversationPage
)

// Conversations lists the branches of one transcript, the newest first. Found
// are summaries of other files, by leaf.
func Conversations(id string, d *sesskeep.Digest, tree *sesskeep.Tree, found map[string]string) []Conversation {
	return index.Conversations(id, d, tree, found)
}

// Branches lists the conversations of a session that is being read.
func Branches(ctx context.Context, s *read.Session) ([]Conversation, error) {
	found, err := s.Summaries(ctx)
	if err != nil {
		return nil, err
	}
	return Conversations(s.Ref.ID(), &s.Transcript.Digest, s.Transcript.Tree, found), nil
}

// ProjectConversations lists the conversations of all sessions of a project
// that people or programs started.
func (a *App) ProjectConversations(ctx context.Context, project string, limit, offset int) (page ConversationPage, err error) {
	err = a.ask(ctx, true, func(x *index.Index) (err error) {
		page, err = x.Conversations(ctx, project, limit, offset)
		return err
	})
	return page, err
}
