package label

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"

	"sesskeep"
)

// Flaw is a file of the store that cannot be read as what we wrote.
type Flaw struct {
	File string
	Err  error
}

// Verify reads the database and every backup of it. Unlike other questions it mends
// nothing.
func (s *Store) Verify(ctx context.Context) []Flaw {
	var flaws []Flaw
	for _, file := range append([]string{s.path()}, s.backups()...) {
		err := s.ask(ctx, file, func(db *sql.DB) error { return readAll(ctx, db, map[sesskeep.Key]Label{}) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			flaws = append(flaws, Flaw{file, err})
		}
	}
	return flaws
}
