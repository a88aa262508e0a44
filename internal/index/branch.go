package index

import (
	"slices"

	"sesskeep"
)

// branchLines finds which lines of a chain are shown in which conversation, for
// all but the active one: by conversation, the numbers of the first and the last
// line of each stretch in turn. A turn that several share is shown in the newest.
func branchLines(links []sesskeep.Link, tree *sesskeep.Tree) [][]int {
	if len(tree.Conversations) < 2 || tree.Active < 0 {
		return nil
	}
	const none, active = -1, -2
	shown := make([]int, len(tree.Turns)) // turn → conversation
	for i := range shown {
		shown[i] = none
	}
	for _, t := range tree.Path(tree.Conversations[tree.Active]) {
		shown[t] = active
	}
	for c, talk := range slices.Backward(tree.Conversations) {
		// What is above a turn of a newer one is of a newer one too, or active.
		for t := talk.Turn; t >= 0 && shown[t] == none; t = tree.Turns[t].Parent {
			shown[t] = c
		}
	}
	of := make([]int, len(links)) // line → conversation
	for i := range of {
		of[i] = none
	}
	for t, turn := range tree.Turns {
		for _, i := range turn.Lines {
			of[i] = shown[t]
		}
	}
	lines := make([][]int, len(tree.Conversations))
	last := none
	for i := range links {
		switch c := of[i]; {
		case links[i].Queued(): // may stand before lines that come before it
			continue
		case c < 0:
			last = c
		case c == last:
			lines[c][len(lines[c])-1] = links[i].Line
		default:
			lines[c] = append(lines[c], links[i].Line, links[i].Line)
			last = c
		}
	}
	return lines
}
