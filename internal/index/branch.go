package index

import (
	"context"
	"encoding/json"
	"slices"

	"sesskeep"
	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// branchLines tells which lines of a chain are shown in which conversation, for
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

// within reports whether a line lies in one of the stretches.
func within(stretches []int, line int) bool {
	for i := 0; i+1 < len(stretches); i += 2 {
		if stretches[i] <= line && line <= stretches[i+1] {
			return true
		}
	}
	return false
}

// nameBranches tells, for hits in sessions with several conversations, which of
// them are not on the active one.
func (x *Index) nameBranches(ctx context.Context, page *ask.SearchPage) error {
	at := map[spot][]ask.Hit{} // by home and session
	var ids []string
	for i := range page.Results {
		if r := &page.Results[i]; r.Session.ConversationCount > 1 {
			id := ask.RowID(r.Key)
			at[spot{r.Root, id}], ids = r.Hits, append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := x.db.QueryContext(ctx, `SELECT o.path, r.id, f.name, json_extract(c.body, '$.leaf'), c.lines
		FROM root o JOIN row r ON r.root = o.id JOIN file f ON f.id = r.file JOIN conversation c ON c.file = r.file
		WHERE c.lines <> '' AND r.source <> 'twin' AND r.id IN (SELECT value FROM json_each(?))`, db.JSON(ids))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key spot
		var file, leaf string
		var body []byte
		var lines []int
		if err := rows.Scan(&key.root, &key.name, &file, &leaf, &body); err != nil {
			return err
		}
		if err := json.Unmarshal(body, &lines); err != nil {
			return err
		}
		for i := range at[key] {
			if h := &at[key][i]; h.UUID != "" && h.File == file && within(lines, h.Line) {
				h.Leaf = leaf
			}
		}
	}
	return rows.Err()
}
