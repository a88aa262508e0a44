package index

import (
	"database/sql"
	"encoding/json"
	"slices"

	"sesskeep"
	"sesskeep/internal/index/db"
	"sesskeep/internal/index/lineage"
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

// namingLines finds which lines of a chain can name each conversation of a session whose
// summaries may lie in other files: the numbers of the first and the last line of each stretch,
// counted among the lines that a chain keeps.
func namingLines(g *sesskeep.Digest, tree *sesskeep.Tree) [][]int {
	if len(tree.Conversations) < 2 || !g.NamedElsewhere() {
		return nil
	}
	kept := make([]int, len(g.Chain)) // number among those that are kept; -1: it is not
	for i, n := 0, 0; i < len(kept); i++ {
		if kept[i] = -1; !g.Chain[i].Queued() {
			kept[i] = n
			n++
		}
	}
	lines := make([][]int, len(tree.Conversations))
	for c, talk := range tree.Conversations {
		var own []int
		for t := talk.Turn; t >= 0 && (t != talk.Fork || namedAbove(g, tree, talk)); t = tree.Turns[t].Parent {
			for _, i := range tree.Turns[t].Lines {
				if kept[i] >= 0 {
					own = append(own, kept[i])
				}
			}
		}
		slices.Sort(own)
		for _, n := range own {
			if last := len(lines[c]) - 1; last >= 0 && lines[c][last] == n-1 {
				lines[c][last] = n
			} else {
				lines[c] = append(lines[c], n, n)
			}
		}
	}
	return lines
}

// namedAbove reports whether a summary of the turn where a conversation branched off would name it:
// behind that no prompt says what it is about.
func namedAbove(g *sesskeep.Digest, tree *sesskeep.Tree, c sesskeep.Conversation) bool {
	const summary = "above"
	for _, i := range tree.Turns[c.Fork].Lines {
		if id := g.Chain[i].UUID; id != "" {
			return g.NameWith(tree, c, map[string]string{id: summary}) == summary
		}
	}
	return true
}

// ownSummaries returns the summaries in a file by leaf; the last one of a leaf counts.
func ownSummaries(g *sesskeep.Digest) map[string]string {
	if len(g.Summaries) == 0 {
		return nil
	}
	found := make(map[string]string, len(g.Summaries))
	for _, s := range g.Summaries {
		found[s.Leaf] = s.Text
	}
	return found
}

// nameConversations gives the conversations of a session the summaries of their lines, by leaf.
func nameConversations(tx *sql.Tx, file int64, chain []lineage.Line, text map[uint64]string) error {
	list, err := db.Column[string](tx, "SELECT json_array(n, json(naming)) FROM conversation WHERE file = ? AND naming <> ''", file)
	if err != nil {
		return err
	}
	for _, raw := range list {
		var n int
		var lines []int
		if err := json.Unmarshal([]byte(raw), &[]any{&n, &lines}); err != nil {
			return err
		}
		name := ""
		for i := len(lines) - 2; i >= 0 && name == ""; i -= 2 {
			for at := min(lines[i+1], len(chain)-1); at >= lines[i] && name == ""; at-- {
				name = text[chain[at].ID]
			}
		}
		if name == "" {
			continue
		}
		if _, err := tx.Exec("UPDATE conversation SET summary = ? WHERE file = ? AND n = ?", name, file, n); err != nil {
			return err
		}
	}
	return nil
}
