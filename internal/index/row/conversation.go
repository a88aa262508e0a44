package row

import (
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/stamp"
)

// Conversations lists the branches of one transcript, the newest first. Found
// are the summaries that name them, by leaf.
func Conversations(id string, d *sesskeep.Digest, tree *sesskeep.Tree, found map[string]string) []ask.Conversation {
	list := []ask.Conversation{}
	for i, c := range slices.Backward(tree.Conversations) {
		conv := ask.Conversation{
			SessionID: id, Leaf: c.Leaf, Name: d.NameWith(tree, c, found),
			PromptCount: c.Prompts, MessageCount: c.Spoken, Kind: c.Kind,
			Active: i == tree.Active,
		}
		if conv.Active && (d.CustomTitle != "" || d.AITitle != "") {
			conv.Name = d.TitleWith(tree, nil) // the title that the session was given
		}
		if c.Fork >= 0 && tree.Turns[c.Fork].Head >= 0 {
			conv.ForkPoint = d.Chain[tree.Turns[c.Fork].Head].UUID
		}
		for _, line := range tree.Turns[c.Turn].Lines {
			if when := d.Chain[line].When(); when.After(conv.LastActivity.Time) {
				conv.LastActivity = stamp.Time{Time: when}
			}
		}
		list = append(list, conv)
	}
	return list
}
