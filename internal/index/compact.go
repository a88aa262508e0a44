package index

import (
	"context"
	"database/sql"
	"time"
)

// compactPatience is how long Compact waits for another process that writes.
const compactPatience = time.Minute

// Compact removes for good what the index has of files that are gone: their rows went with
// the last walk, and now the pages in which they were, and names that no file uses. The index
// can be empty afterwards; the next walk fills it.
func (x *Index) Compact(ctx context.Context) error {
	err := x.db.Write(ctx, compactPatience, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM branch WHERE id NOT IN (SELECT branch FROM usage)")
		return err
	})
	if err != nil {
		return err
	}
	_, err = x.db.Compact(ctx)
	return err
}
