package db

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

// writeLock is held by the one process that writes the file, which also keeps the seal
// true. It is acquired for a transaction and released with its commit, so that any
// number of processes write one after another.
type writeLock struct {
	db   *DB
	lock *lock.Lock
	seal seal // as it is on disk
}

// logLimit is how long the log gets before it is folded into the database, and
// logStep how much longer before that is tried again where a reader was in the
// way.
const (
	logLimit = 32 << 20
	logStep  = 8 << 20
)

var (
	// errBusy says that another process held the write lock for longer than we wait.
	errBusy = errors.New("another process writes the index")
	// errLost says that the database was removed, lock and all, while it was written.
	errLost = errors.New("the index was removed while it was written")
)

// IsBusy reports whether an error means that another process holds the write lock.
func IsBusy(err error) bool {
	return errors.Is(err, errBusy) || errors.Is(err, errLost) || code(err) == codeBusy
}

// Write runs f in a transaction under the write lock, for which it waits as long as
// patience says. It recreates a database that turns out to be damaged, and returns the
// error all the same, because what f was going to change is gone.
func (d *DB) Write(ctx context.Context, patience time.Duration, f func(tx *sql.Tx) error) error {
	if err := d.waitForWriters(ctx, patience); err != nil {
		return err
	}
	defer func() { <-d.writing }()
	if d.path == "" {
		return d.commit(ctx, f)
	}
	w, err := d.lockForWriting(ctx, patience)
	if err != nil {
		return err
	}
	// A transaction too large for memory is written before it is committed.
	if err = w.writeSeal(sealWriting); err == nil {
		err = d.commit(ctx, f)
	}
	if err == nil {
		d.wrote.Store(true)
		err = w.foldIfLong()
	}
	if IsDamage(err) {
		err = errors.Join(err, w.recreate())
	}
	return errors.Join(err, w.release())
}

// waitForWriters waits for the other writers of this process.
func (d *DB) waitForWriters(ctx context.Context, patience time.Duration) error {
	select {
	case d.writing <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case d.writing <- struct{}{}:
		return nil
	case <-timer.C:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lockForWriting acquires the write lock and makes sure that the database is intact.
func (d *DB) lockForWriting(ctx context.Context, patience time.Duration) (*writeLock, error) {
	l, err := d.acquire(ctx, patience)
	if err != nil {
		return nil, err
	}
	w := &writeLock{db: d, lock: l}
	if err := w.verify(); err != nil {
		return nil, errors.Join(err, l.Release())
	}
	return w, nil
}

func (d *DB) acquire(ctx context.Context, patience time.Duration) (*lock.Lock, error) {
	until := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		l, err := lock.Acquire(d.lockPath())
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

// verify compares the files with their seal, and recreates the database if they do not
// fit.
func (w *writeLock) verify() error {
	d := w.db
	w.seal = readSeal(d.sealPath())
	file, log, err := d.imprints()
	if err != nil {
		return w.recreate()
	}
	switch w.seal.judge(file, log) {
	case Intact:
		d.adopt(file)
		return nil
	case Doubtful:
		d.adopt(file)
		if w.resumeFold() == nil {
			return nil
		}
	}
	return w.recreate()
}

// resumeFold continues where a writer was killed while it folded the log in: the
// database is whole without its log only when all of that is in it.
func (w *writeLock) resumeFold() error {
	if err := w.db.hooks.Check(context.Background(), w.db); err != nil {
		return err
	}
	whole, err := w.foldLog(5 * time.Second)
	if err != nil {
		return err
	}
	if !whole {
		return errors.New("a reader is in the way")
	}
	return w.writeSeal(sealWriting)
}

// recreate removes the database and puts an empty one into its place.
func (w *writeLock) recreate() error {
	d := w.db
	d.write.SetMaxIdleConns(0) // closes the connection to the old file
	defer d.write.SetMaxIdleConns(1)
	w.seal = seal{}
	if err := createFile(d.path + ".new"); err != nil {
		return fmt.Errorf("make the index: %w", err)
	}
	// The seal goes first: whatever is left by a crash is then not trusted.
	// The database goes before its log, so that the log cannot be mistaken for
	// that of another one.
	if err := removeAll(d.sealPath(), d.path, d.path+"-wal", d.path+"-shm", d.path+"-journal"); err != nil {
		return fmt.Errorf("rebuild the index: %w", err)
	}
	if err := replace(d.path+".new", d.path); err != nil {
		return fmt.Errorf("rebuild the index: %w", err)
	}
	d.removeOlder()
	if err := w.writeSeal(sealClean); err != nil {
		return err
	}
	d.adopt(w.seal.DB)
	d.generation.Add(1)
	d.hooks.Replaced()
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

// writeSeal seals the files as they are, for the state that comes next.
func (w *writeLock) writeSeal(state sealState) error {
	if w.lock.Lost() {
		return errLost
	}
	file, log, err := w.db.imprints()
	if err != nil {
		return err
	}
	if (w.seal.State == sealClean || w.seal.State == sealWriting) && file != w.seal.DB {
		return fmt.Errorf("%w: somebody else wrote to it", ErrDamaged)
	}
	s := seal{State: state, Schema: schemaSum(), DB: file, Log: log}
	if err := s.write(w.db.sealPath()); err != nil {
		return err
	}
	w.seal = s
	OnStep(string(state))
	return nil
}

// foldIfLong folds the log into the database when it is long. It waits for no reader:
// what one still needs stays in the log.
func (w *writeLock) foldIfLong() error {
	d := w.db
	_, log, err := d.imprints()
	if err != nil || log.Size < max(logLimit, d.foldAt.Load()) {
		return err
	}
	d.foldAt.Store(log.Size + logStep)
	whole, err := w.foldLog(0)
	if whole {
		d.foldAt.Store(0)
	}
	if err != nil {
		return err
	}
	return w.writeSeal(sealWriting)
}

// foldLog writes the log into the database, up to what readers still need, and reports
// whether that was all. It waits for readers as long as wait says.
func (w *writeLock) foldLog(wait time.Duration) (whole bool, err error) {
	ctx := context.Background()
	c, err := w.db.write.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer c.Close()
	if err := w.writeSeal(sealFolding); err != nil {
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

// release seals the files and lets other processes write.
func (w *writeLock) release() error {
	var err error
	if w.seal.State != sealClean && w.seal.State != "" {
		err = w.writeSeal(sealClean)
	}
	return errors.Join(err, w.lock.Release())
}

// foldAtClose folds the log in at the end of a process that wrote, unless another
// process holds the write lock.
func (d *DB) foldAtClose() error {
	if d.path == "" || !d.wrote.Load() {
		return nil
	}
	w, err := d.lockForWriting(context.Background(), 0)
	if IsBusy(err) {
		return nil // the other one does it
	}
	if err != nil {
		return err
	}
	_, err = w.foldLog(0)
	// SQLite may fold at the end of its last connection too: now the seal
	// expects the database to change.
	d.write.SetMaxIdleConns(0)
	return errors.Join(err, w.release())
}

// OnStep is called with every step of a writer. Tests set it, to stop or kill one there.
var OnStep = func(step string) {}

// commit runs f in a transaction.
func (d *DB) commit(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	OnStep("begin")
	defer OnStep("end")
	err = f(tx)
	if err == nil {
		_, err = tx.ExecContext(ctx, "UPDATE change_counter SET n = n + 1")
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
