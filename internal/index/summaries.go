package index

import (
	"context"
	"encoding/json"

	"sesskeep"
	"sesskeep/internal/index/db"
)

// Summaries finds the summaries in some transcripts of a project directory, by file. One that is not in the
// answer was never read, or has changed since: it can have others.
func (x *Index) Summaries(ctx context.Context, root string, dir sesskeep.ProjectKey, refs []sesskeep.Ref) (map[string][]sesskeep.LeafTitle, error) {
	names, stats := make([]string, len(refs)), make(map[string]string, len(refs))
	for i, ref := range refs {
		names[i], stats[ref.File] = ref.File, statText(ref)
	}
	rows, err := x.db.QueryContext(ctx, `SELECT f.name, f.stat, iif(f.named, f.facts ->> '$.summaries', '[]') FROM folder d CROSS JOIN json_each(?) n
		JOIN file f ON f.folder = d.id AND f.name = n.value WHERE d.root = (SELECT id FROM root WHERE path = ?) AND d.dir = ?`, db.JSON(names), root, string(dir))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make(map[string][]sesskeep.LeafTitle, len(refs))
	for rows.Next() {
		var name, stat string
		var text []byte
		if err := rows.Scan(&name, &stat, &text); err != nil {
			return nil, err
		}
		if stat != stats[name] {
			continue
		}
		var list []sesskeep.LeafTitle
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, err
		}
		found[name] = list
	}
	return found, rows.Err()
}
