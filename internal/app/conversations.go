package app

import (
	"context"
	"strings"

	"sesskeep"
	"sesskeep/internal/index"
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

// Summaries finds what titles the transcript's conversations by leaf: its own
// summaries, and where nothing else names it those in the files beside it. Only
// old clients wrote them, so nothing is read for a session of a new one.
func Summaries(t Target, d *sesskeep.Digest) map[string]string {
	found := map[string]string{}
	take := func(d *sesskeep.Digest) {
		for _, s := range d.Summaries {
			found[s.Leaf] = s.Text
		}
	}
	old := strings.HasPrefix(d.Version, "1.") || strings.HasPrefix(d.Version, "2.0.")
	if old && d.CustomTitle == "" && d.AITitle == "" && t.Ref.Agent == "" {
		for _, ref := range t.Store.Folder(t.Ref.Dir).Refs {
			if ref.Layout == sesskeep.LayoutMain && ref.File != t.Ref.File {
				if other, err := t.Store.Digest(ref.File); err == nil {
					take(&other)
				}
			}
		}
	}
	take(d)
	return found
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
