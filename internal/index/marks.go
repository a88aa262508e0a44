package index

import (
	"context"
	"database/sql"
	"encoding/json"

	"sesskeep"
)

// Known is how far a transcript was read, and where the talk stands there.
type Known struct {
	Mark     sesskeep.Mark
	Standing sesskeep.Standing
}

// Known returns how far the transcripts of a home were read, by their path
// inside it. Those are left out of which only the rows are known, and those whose
// last line has no end yet: it counts already where the talk stands.
func (x *Index) Known(ctx context.Context, root string) (map[string]Known, error) {
	rows, err := x.read.QueryContext(ctx, `SELECT f.name, f.mark, f.facts
		FROM root o JOIN folder d ON d.root = o.id JOIN file f ON f.folder = d.id
		WHERE o.path = ? AND f.mark <> '' AND f.text = f.stat AND f.torn = 0`, root)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]Known{}
	var reader rowReader
	for rows.Next() {
		var name string
		var mark, facts sql.RawBytes
		if err := rows.Scan(&name, &mark, &facts); err != nil {
			return nil, err
		}
		var k Known
		row, err := reader.read(name, facts)
		if err == nil && json.Unmarshal(mark, &k.Mark) == nil {
			k.Standing = row.Standing
			all[name] = k
		}
	}
	return all, rows.Err()
}
