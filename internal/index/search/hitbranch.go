package search

import (
	"context"
	"encoding/json"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// within reports whether a line lies in one of the stretches.
func within(stretches []int, line int) bool {
	for i := 0; i+1 < len(stretches); i += 2 {
		if stretches[i] <= line && line <= stretches[i+1] {
			return true
		}
	}
	return false
}

// addLeaves tells, for hits in sessions with several conversations, which of
// them are not on the active one.
func (x *Searcher) addLeaves(ctx context.Context, page *ask.SearchPage) error {
	at := map[location][]ask.Hit{} // by home and session
	var ids []string
	for i := range page.Results {
		if r := &page.Results[i]; r.Session.ConversationCount > 1 {
			id := ask.RowID(r.Key)
			at[location{r.Root, id}], ids = r.Hits, append(ids, id)
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
		var key location
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
