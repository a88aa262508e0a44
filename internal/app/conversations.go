package app

import (
	"context"
	"slices"
	"strings"

	"sesskeep"
)

// Conversation is one branch of a session in a list.
type Conversation struct {
	SessionID    string                    `json:"sessionId"`
	Leaf         string                    `json:"leaf"`
	Name         string                    `json:"name"`
	PromptCount  int                       `json:"promptCount"`
	MessageCount int                       `json:"messageCount"`
	ForkPoint    string                    `json:"forkPoint,omitempty"` // uuid of the turn it parted at
	Kind         sesskeep.ConversationKind `json:"kind"`
	Active       bool                      `json:"active"`
	LastActivity Stamp                     `json:"lastActivityAt,omitzero"`
}

// Conversations lists the branches of one transcript, the newest first. Found
// are summaries of other files, by leaf.
func Conversations(id string, d *sesskeep.Digest, tree *sesskeep.Tree, found map[string]string) []Conversation {
	list := []Conversation{}
	for i, c := range slices.Backward(tree.Conversations) {
		conv := Conversation{
			SessionID: id, Leaf: c.Leaf, Name: d.Name(tree, c, found),
			PromptCount: c.Prompts, MessageCount: c.Spoken, Kind: c.Kind,
			Active: i == tree.Active,
		}
		if conv.Active && d.CustomTitle != "" {
			conv.Name = d.CustomTitle
		}
		if c.Fork >= 0 && tree.Turns[c.Fork].Head >= 0 {
			conv.ForkPoint = d.Chain[tree.Turns[c.Fork].Head].UUID
		}
		for _, line := range tree.Turns[c.Turn].Lines {
			if when := d.Chain[line].When(); when.After(conv.LastActivity.Time) {
				conv.LastActivity = Stamp{when}
			}
		}
		list = append(list, conv)
	}
	return list
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
			if ref.Layout == sesskeep.Main && ref.File != t.Ref.File {
				if other, err := t.Store.Digest(ref.File); err == nil {
					take(&other)
				}
			}
		}
	}
	take(d)
	return found
}

// ConversationPage is a list of conversations.
type ConversationPage struct {
	Conversations []Conversation `json:"conversations"`
	Total         int            `json:"total"`
	HasMore       bool           `json:"hasMore"`
	Next          string         `json:"next,omitempty"`
}

// ProjectConversations lists the conversations of all sessions of a project
// that people or programs started.
func (a *App) ProjectConversations(ctx context.Context, project string, limit, offset int) (ConversationPage, error) {
	c, err := a.Catalog(ctx)
	if err != nil {
		return ConversationPage{}, err
	}
	found := map[string]string{}
	var digests []sesskeep.Digest
	var ids []string
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Project != project || r.IsAgent {
			continue
		}
		d, err := r.store.Digest(r.Ref.File)
		if err != nil {
			continue // the catalog has it as a problem
		}
		for _, s := range d.Summaries {
			found[s.Leaf] = s.Text
		}
		if r.Source == FromUser {
			digests, ids = append(digests, d), append(ids, r.ID)
		}
		if ctx.Err() != nil {
			return ConversationPage{}, ctx.Err()
		}
	}
	var all []Conversation
	for i := range digests {
		all = append(all, Conversations(ids[i], &digests[i], digests[i].Tree(), found)...)
	}
	slices.SortStableFunc(all, func(x, y Conversation) int { return y.LastActivity.Compare(x.LastActivity.Time) })
	page, more, next := window(all, limit, offset)
	return ConversationPage{page, len(all), more, next}, nil
}
