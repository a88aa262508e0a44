package index

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// turn is a stretch of writing to an index on disk. Whoever has it is alone in
// writing, and keeps the seal true.
type turn struct {
	index *Index
	lock  *lock
	seal  seal // as it is on disk
}

// logLimit is how long the log gets before it is folded into the database.
const logLimit = 32 << 20

// errLost says that the index was removed, lock and all, while it was written.
var errLost = errors.New("the index was removed while it was written")

// takeTurn takes the lock and makes sure that the index is sound.
func (x *Index) takeTurn() (*turn, error) {
	l, err := takeLock(x.lockPath())
	if err != nil {
		return nil, err
	}
	t := &turn{index: x, lock: l}
	if err := t.secure(); err != nil {
		return nil, errors.Join(err, l.release())
	}
	return t, nil
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
		if x.check(context.Background()) == nil {
			return t.mark(sealFolding) // until the log is in
		}
	}
	return t.renew()
}

// renew removes the index and puts an empty one into its place. Nothing is lost
// by that: it is all in the homes.
func (t *turn) renew() error {
	x := t.index
	x.write.SetMaxIdleConns(0) // no connection to the old one
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
	if t.lock.lost() {
		return errLost
	}
	db, log, err := t.index.imprints()
	if err != nil {
		return err
	}
	s := seal{State: state, DB: db, Log: log}
	if t.seal.State == sealWriting && db != t.seal.DB {
		return fmt.Errorf("%w: somebody else wrote to it", errDamaged)
	}
	if state == sealWriting && t.seal.State == sealClean && db != t.seal.DB {
		return fmt.Errorf("%w: somebody else wrote to it", errDamaged)
	}
	if err := s.write(t.index.sealPath()); err != nil {
		return err
	}
	s.Schema = schemaSum
	t.seal = s
	observe(string(state))
	return nil
}

// soil is called before something is written.
func (t *turn) soil() error {
	if t.seal.State == sealWriting {
		return nil
	}
	return t.mark(sealWriting)
}

// relieve folds the log into the database when it is long.
func (t *turn) relieve(ctx context.Context) error {
	if _, log, err := t.index.imprints(); err != nil || log.Size < logLimit {
		return err
	}
	if err := t.fold(ctx, "PASSIVE"); err != nil {
		return err
	}
	return t.mark(sealWriting)
}

// fold writes what is in the log into the database, as far as readers let it.
func (t *turn) fold(ctx context.Context, how string) error {
	if err := t.mark(sealFolding); err != nil {
		return err
	}
	_, err := t.index.write.ExecContext(ctx, "PRAGMA wal_checkpoint("+how+")")
	return err
}

// end folds the log in, seals what is there and lets others write.
func (t *turn) end() error {
	return errors.Join(t.settle(), t.lock.release())
}

func (t *turn) settle() error {
	x := t.index
	_, log, err := x.imprints()
	if err == nil && (t.seal.State != sealClean || log.Size > 0) {
		// Whoever reads for long is not waited for: the log then stays.
		_, err = x.write.Exec("PRAGMA busy_timeout(250)")
		if err == nil {
			err = t.fold(context.Background(), "TRUNCATE")
		}
	}
	x.write.SetMaxIdleConns(0) // while the seal expects the database to change
	if err != nil || t.seal.State == sealClean {
		return err
	}
	return t.mark(sealClean)
}
