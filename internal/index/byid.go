package index

import (
	"context"
	"database/sql"
	"slices"

	"sesskeep/internal/ask"
)

// readByID reads the rows of some ids, the one active last first, without twins. What a
// list would hide is not counted, which takes longer than to read a page.
func readByID(ctx context.Context, read *sql.DB, homes []ask.Home, ids []string) (list []ask.Row, err error) {
	f, roots := &filter{ask.Filter{Homes: homes}}, rootsOf(homes)
	_, args := f.shared()
	reader := newListReader(f, &order{}, nil)
	rows, err := read.QueryContext(ctx, `SELECT `+reader.columns()+`
		FROM (SELECT DISTINCT value FROM json_each(?)) i CROSS JOIN row r ON r.id = i.value `+reader.joins()+`
		WHERE r.source <> ? AND r.root IN (SELECT id FROM root WHERE path IN (`+marks(len(roots))+`)) ORDER BY r.active DESC, r.id, r.root, r.file`,
		slices.Concat(args, []any{jsonText(ids), string(ask.FromTwin)}, anys(roots))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(reader.into...); err != nil {
			return nil, err
		}
		r, err := reader.read()
		if err != nil {
			return nil, err
		}
		list = append(list, *r)
	}
	return list, rows.Err()
}
