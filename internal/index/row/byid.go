package row

import (
	"context"
	"slices"

	"sesskeep/internal/ask"
	"sesskeep/internal/index/db"
)

// ByID reads the rows of some ids, most recently active first, without duplicates. What a
// list would hide is not counted, which takes longer than to read a page.
func ByID(ctx context.Context, q db.Querier, homes []ask.Home, ids []string) (list []ask.Row, err error) {
	f, roots := &Filter{ask.Filter{Homes: homes}}, Roots(homes)
	_, args := f.Shared()
	reader := NewReader(f, &Order{}, nil)
	rows, err := q.QueryContext(ctx, `SELECT `+reader.Columns()+`
		FROM (SELECT DISTINCT value FROM json_each(?)) i CROSS JOIN row r ON r.id = i.value `+reader.Joins()+`
		WHERE r.source <> ? AND r.root IN (SELECT id FROM root WHERE path IN (`+db.Params(len(roots))+`)) ORDER BY r.active DESC, r.id, r.root, r.file`,
		slices.Concat(args, []any{db.JSON(ids), string(ask.FromDuplicate)}, db.Args(roots))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(reader.Into...); err != nil {
			return nil, err
		}
		r, err := reader.Read()
		if err != nil {
			return nil, err
		}
		list = append(list, *r)
	}
	return list, rows.Err()
}
