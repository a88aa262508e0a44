package talk

import (
	"context"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index"
	"sesskeep/internal/reading"
)

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
