package index

import (
	"context"
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
	rows, err := x.read.QueryContext(ctx, `SELECT f.name, f.mark, coalesce(json_extract(f.facts, '$.standing'), '{}')
		FROM root o JOIN folder d ON d.root = o.id JOIN file f ON f.folder = d.id
		WHERE o.path = ? AND f.mark <> '' AND f.text = f.stat AND f.torn = 0`, root)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]Known{}
	for rows.Next() {
		var name string
		var mark, standing []byte
		var k Known
		if err := rows.Scan(&name, &mark, &standing); err != nil {
			return nil, err
		}
		if json.Unmarshal(mark, &k.Mark) == nil && json.Unmarshal(standing, &k.Standing) == nil {
			all[name] = k
		}
	}
	return all, rows.Err()
}
