package db

import (
	"context"
	"errors"
	"time"
)

// ErrReplaced says that the database was recreated since it was looked at.
var ErrReplaced = errors.New("the index was rebuilt")

// WithRepair runs f, and again on a new database if it meets damage. Reading alone can
// meet it too.
func (d *DB) WithRepair(ctx context.Context, f func() error) error {
	err := d.recheck()
	for range 3 {
		if err == nil {
			err = f()
		}
		switch {
		case errors.Is(err, ErrReplaced):
		case IsDamage(err) && d.path != "":
			if err := d.Rebuild(ctx); err != nil {
				return err
			}
		default:
			return err
		}
		err = nil
	}
	return f()
}

// recheck looks at the files of a database that is open: they may be damaged, or
// others, by now.
func (d *DB) recheck() error {
	if d.path == "" || d.isIntact() {
		return nil
	}
	return d.ensureIntact(CommandPatience)
}

// CommandPatience is how long a command waits for another process: it answers from
// what is there.
const CommandPatience = 100 * time.Millisecond

// Birth is a number that every database gets when it is made, so that a new one is
// not taken for the one that was looked at before.
func Birth(ctx context.Context, q Querier) (n int64, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&n)
	return n, err
}
