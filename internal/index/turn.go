package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"sesskeep/internal/lock"
)

// turn is one write to an index on disk: whoever has it is alone in writing,
// and keeps the seal true. It is taken for a transaction and given back with its
// commit, so that any number of processes write one after another.
type turn struct {
	index *Index
	lock  *lock.Lock
	seal  seal // as it is on disk
}

// logLimit is how long the log gets before it is folded into the database, and
// logStep how much longer before that is tried again where a reader was in the
// way.
const (
	logLimit = 32 << 20
	logStep  = 8 << 20
)

var (
	// errBusy says that somebody else had the turn for longer than we wait.
	errBusy = errors.New("another process writes the index")
	// errLost says that the index was removed, lock and all, while it was written.
	errLost = errors.New("the index was removed while it was written")
)

// busy reports whether an error means that the turn is somebody else's.
func busy(err error) bool {
	return errors.Is(err, errBusy) || errors.Is(err, errLost) || code(err) == codeBusy
}

// inTurn runs f in a transaction of its own turn, for which it waits as long as
// patience says. An index that turns out to be damaged is made anew; the error
// is told all the same, because what f was going to change is gone.
func (x *Index) inTurn(ctx context.Context, patience time.Duration, f func(tx *sql.Tx) error) error {
	if err := x.await(ctx, patience); err != nil {
		return err
	}
	defer func() { <-x.writing }()
	if x.path == "" {
		return x.commit(ctx, f)
	}
	t, err := x.takeTurn(ctx, patience)
	if err != nil {
		return err
	}
	// A transaction too large for memory is written before it is committed.
	if err = t.mark(sealWriting); err == nil {
		err = x.commit(ctx, f)
	}
	if err == nil {
		x.wrote.Store(true)
		err = t.relieve()
	}
	if Damaged(err) {
		err = errors.Join(err, t.renew())
	}
	return errors.Join(err, t.end())
}

// await waits for the other writers of this process.
func (x *Index) await(ctx context.Context, patience time.Duration) error {
	select {
	case x.writing <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case x.writing <- struct{}{}:
		return nil
	case <-timer.C:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// takeTurn takes the lock and makes sure that the index is sound.
func (x *Index) takeTurn(ctx context.Context, patience time.Duration) (*turn, error) {
	l, err := x.takeLock(ctx, patience)
	if err != nil {
		return nil, err
	}
	t := &turn{index: x, lock: l}
	if err := t.secure(); err != nil {
		return nil, errors.Join(err, l.Release())
	}
	return t, nil
}

func (x *Index) takeLock(ctx context.Context, patience time.Duration) (*lock.Lock, error) {
	until := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		l, err := lock.Acquire(x.lockPath())
		switch {
		case !errors.Is(err, lock.ErrHeld):
			return l, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !time.Now().Before(until):
			return nil, errBusy
		}
		time.Sleep(pause)
	}
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
	whole, err := t.fold(5 * time.Second)
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
	if err := replace(x.path+".new", x.path); err != nil {
		return fmt.Errorf("make the index anew: %w", err)
	}
	x.removeOlder()
	if err := t.mark(sealClean); err != nil {
		return err
	}
	x.follow(t.seal.DB)
	x.generation.Add(1)
	x.held.clear()
	x.walked.clear()
	return nil
}

// replace renames a file over another. Windows refuses that while somebody
// reads the other, who is soon done.
func replace(from, to string) error {
	for try := 0; ; try++ {
		err := os.Rename(from, to)
		if err == nil || runtime.GOOS != "windows" || try == 40 {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
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

// relieve folds the log into the database when it is long. Nobody is waited
// for: what a reader still needs stays in it.
func (t *turn) relieve() error {
	x := t.index
	_, log, err := x.imprints()
	if err != nil || log.Size < max(logLimit, x.foldAt.Load()) {
		return err
	}
	x.foldAt.Store(log.Size + logStep)
	whole, err := t.fold(0)
	if whole {
		x.foldAt.Store(0)
	}
	if err != nil {
		return err
	}
	return t.mark(sealWriting)
}

// fold writes what is in the log into the database, as far as readers let it,
// for which it waits as long as told, and reports whether that was all.
func (t *turn) fold(wait time.Duration) (whole bool, err error) {
	ctx := context.Background()
	c, err := t.index.write.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer c.Close()
	if err := t.mark(sealFolding); err != nil {
		return false, err
	}
	patient := func(wait time.Duration) error {
		_, err := c.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout(%d)", wait.Milliseconds()))
		return err
	}
	if err := patient(wait); err != nil {
		return false, err
	}
	var busy, pages, folded int
	err = c.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &folded)
	return busy == 0 && pages == folded, errors.Join(err, patient(writeWait))
}

// end seals what is there and lets others write.
func (t *turn) end() error {
	var err error
	if t.seal.State != sealClean && t.seal.State != "" {
		err = t.mark(sealClean)
	}
	return errors.Join(err, t.lock.Release())
}

// settle folds the log in once and for all, if nobody else is at it: at the end
// of a process that wrote.
func (x *Index) settle() error {
	if x.path == "" || !x.wrote.Load() {
		return nil
	}
	t, err := x.takeTurn(context.Background(), 0)
	if busy(err) {
		return nil // whoever it is does it
	}
	if err != nil {
		return err
	}
	_, err = t.fold(0)
	// SQLite may fold at the end of its last connection too: now the seal
	// expects the database to change.
	x.write.SetMaxIdleConns(0)
	return errors.Join(err, t.end())
}
