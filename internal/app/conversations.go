package app

import (
	"cmp"
	"context"
	"slices"

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
// summaries, and those in the files beside it. Only old clients wrote them, so
// nothing else is read for a session of a new one. Where two files name a leaf
// the last one counts, as in lists.
func Summaries(t Target, d *sesskeep.Digest) map[string]string {
	found := map[string]string{}
	take := func(d *sesskeep.Digest) {
		for _, s := range d.Summaries {
			found[s.Leaf] = s.Text
		}
	}
	if !d.NamedElsewhere() || t.Ref.Agent != "" {
		take(d)
		return found
	}
	refs := t.Store.Folder(t.Ref.Dir).Refs
	slices.SortFunc(refs, func(a, b sesskeep.Ref) int { return cmp.Compare(a.File, b.File) })
	for _, ref := range refs {
		if ref.File == t.Ref.File {
			take(d)
		} else if ref.Layout == sesskeep.Main {
			if other, err := t.Store.Digest(ref.File); err == nil {
				take(&other)
			}
		}
	}
	return found
}

// Title is what lists call a transcript: an agent's is what it was started for.
func Title(t Target, tr *sesskeep.Transcript) string {
	if t.Ref.Agent != "" {
		if meta, ok := t.Store.AgentMeta(t.Ref); ok && cmp.Or(meta.Description, meta.Name) != "" {
			return cmp.Or(meta.Description, meta.Name)
		}
	}
	return tr.Title(tr.Tree, Summaries(t, &tr.Digest))
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
