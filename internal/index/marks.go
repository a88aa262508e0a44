package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/index/row"
)

// Known is how far a transcript was read, and where the talk stands there.
type Known struct {
	Mark     homefs.Mark
	Standing sesskeep.Standing
}

// Known returns how far a transcript was read. One whose text was not read is
// not known, nor one whose last line has no end yet: that counts already where
// the talk stands.
func (x *Index) Known(ctx context.Context, root, name string) (k Known, ok bool, err error) {
	var mark, facts []byte
	err = x.db.QueryRowContext(ctx, `SELECT f.mark, f.facts
		FROM root o JOIN folder d ON d.root = o.id JOIN file f ON f.folder = d.id
		WHERE o.path = ? AND d.dir = ? AND f.name = ? AND f.mark <> '' AND f.text = f.stat AND f.torn = 0`, root, string(row.FolderOf(name)), name).
		Scan(&mark, &facts)
	if errors.Is(err, sql.ErrNoRows) {
		return k, false, nil
	}
	if err != nil {
		return k, false, err
	}
	var reader row.FactsReader
	row, err := reader.Read(name, facts)
	if err != nil || json.Unmarshal(mark, &k.Mark) != nil {
		return Known{}, false, err
	}
	k.Standing = row.Standing
	return k, true, nil
}
