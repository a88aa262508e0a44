package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"sesskeep/internal/lock"
)

// turn is a stretch of writing to an index on disk. Whoever has it is alone in
// writing, and keeps the seal true.
type turn struct {
	index *Index
	lock  *lock.Lock
	seal  seal // as it is on disk
}

// logLimit is how long the log gets before it is folded into the database.
const logLimit = 32 << 20

// errLost says that the index was removed, lock and all, while it was written.
var errLost = errors.New("the index was removed while it was written")

// takeTurn takes the lock and makes sure that the index is sound.
func (x *Index) takeTurn() (*turn, error) {
	l, err := lock.Take(x.lockPath())
	if err != nil {
		return nil, err
	}
	x.write.SetMaxIdleConns(1)
	t := &turn{index: x, lock: l}
	if err := t.secure(); err != nil {
		return nil, errors.Join(err, l.Release())
	}
	return t, nil
}

// refreshInTurn runs a refresh under the lock. One that stumbles over damage is
// run again on a new index.
func (x *Index) refreshInTurn(refresh func() (Report, error)) (Report, error) {
	t, err := x.takeTurn()
	if errors.Is(err, lock.ErrHeld) {
		if db, _, err := x.imprints(); err == nil {
			x.follow(db)
		}
		return Report{Busy: true}, nil
	}
	if err != nil {
		return Report{}, err
	}
	x.turn = t
	defer func() { x.turn = nil }()
	defer t.lock.Release()
	r, err := refresh()
	err = errors.Join(err, t.settle())
	if Damaged(err) {
		if err = t.renew(); err == nil {
			r, err = refresh()
			err = errors.Join(err, t.settle())
		}
	}
	if errors.Is(err, errLost) || code(err) == codeBusy {
		return Report{Busy: true}, nil // whoever removed or locked it has it now
	}
	return r, err
}

// secure looks at what is there, and makes the index anew if it is not what we
// left.
func (t *turn) secure() error {
	x := t.index
	t.seal = readSeal(x.sealPath())
	db, log, err := x.imprints()
	if err != nil {
		return t.renew()
	}
	switch t.seal.judge(db, log) {
	case sound:
		x.follow(db)
		return nil
	case doubtful:
		x.follow(db)
		if t.recover() == nil {
			return nil
		}
	}
	return t.renew()
}

// recover goes on where a writer was killed while it folded the log in: only
// when all of it is in the database is that whole without its log.
func (t *turn) recover() error {
	if err := t.index.check(context.Background()); err != nil {
		return err
	}
	whole, err := t.fold(context.Background(), "TRUNCATE")
	if err != nil {
		return err
	}
	if !whole {
		return errors.New("a reader is in the way")
	}
	return t.mark(sealWriting)
}

// renew removes the index and puts an empty one into its place. Nothing is lost
// by that: it is all in the homes.
func (t *turn) renew() error {
	x := t.index
	x.write.SetMaxIdleConns(0) // none to the old file
	defer x.write.SetMaxIdleConns(1)
	t.seal = seal{}
	if err := createFile(x.path + ".new"); err != nil {
		return fmt.Errorf("make the index: %w", err)
	}
	// The seal goes first: whatever is left by a crash is then not trusted.
	// The database goes before its log, which nobody can then take for that of
	// another one.
	if err := removeAll(x.sealPath(), x.path, x.path+"-wal", x.path+"-shm", x.path+"-journal"); err != nil {
		return fmt.Errorf("make the index anew: %w", err)
	}
	if err := os.Rename(x.path+".new", x.path); err != nil {
		return fmt.Errorf("make the index anew: %w", err)
	}
	x.removeOlder()
	if err := t.mark(sealClean); err != nil {
		return err
	}
	x.follow(t.seal.DB)
	x.generation.Add(1)
	return nil
}

// mark writes the seal for what comes next.
func (t *turn) mark(state sealState) error {
	if t.lock.Lost() {
		return errLost
	}
	db, log, err := t.index.imprints()
	if err != nil {
		return err
	}
	if (t.seal.State == sealClean || t.seal.State == sealWriting) && db != t.seal.DB {
		return fmt.Errorf("%w: somebody else wrote to it", errDamaged)
	}
	s := seal{State: state, Schema: schemaSum, DB: db, Log: log}
	if err := s.write(t.index.sealPath()); err != nil {
		return err
	}
	t.seal = s
	observe(string(state))
	return nil
}

// unsealing breaks the seal before a transaction is committed, unless that changes
// nothing.
func (t *turn) unsealing(f func(tx *sql.Tx) error) func(tx *sql.Tx) error {
	return func(tx *sql.Tx) error {
		before, err := changes(tx)
		if err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		after, err := changes(tx)
		if err != nil || after == before {
			return err
		}
		return t.soil(1)
	}
}

// changes counts the rows a connection has written.
func changes(tx *sql.Tx) (n int64, err error) {
	err = tx.QueryRow("SELECT total_changes()").Scan(&n)
	return n, err
}

// soil says that so many files are going to be written. A transaction too large
// for memory is written before it is committed, so this has to come before it.
func (t *turn) soil(files int) error {
	if t == nil || files == 0 || t.seal.State == sealWriting {
		return nil
	}
	return t.mark(sealWriting)
}

// relieve folds the log into the database when it is long.
func (t *turn) relieve(ctx context.Context) error {
	_, log, err := t.index.imprints()
	if err != nil {
		return err
	}
	if t.seal.State == sealClean && !sameLog(log, t.seal.Log) {
		return t.mark(sealWriting) // pages can change without a row that does
	}
	if log.Size < logLimit {
		return nil
	}
	if _, err := t.fold(ctx, "PASSIVE"); err != nil {
		return err
	}
	return t.mark(sealWriting)
}

// fold writes what is in the log into the database, as far as readers let it,
// and reports whether that was all.
func (t *turn) fold(ctx context.Context, how string) (whole bool, err error) {
	if err := t.mark(sealFolding); err != nil {
		return false, err
	}
	var busy, pages, folded int
	err = t.index.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+how+")").Scan(&busy, &pages, &folded)
	return busy == 0 && pages == folded, err
}

// end folds the log in, seals what is there and lets others write.
func (t *turn) end() error {
	return errors.Join(t.settle(), t.lock.Release())
}

func (t *turn) settle() error {
	x := t.index
	_, log, err := x.imprints()
	if err == nil && (t.seal.State != sealClean || log.Size > 0) {
		// Whoever reads for long is not waited for: the log then stays.
		_, err = x.write.Exec("PRAGMA busy_timeout(250)")
		if err == nil {
			_, err = t.fold(context.Background(), "TRUNCATE")
		}
	}
	x.write.SetMaxIdleConns(0) // while the seal expects the database to change
	if err != nil || t.seal.State == sealClean {
		return err
	}
	return t.mark(sealClean)
}
