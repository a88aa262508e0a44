package db

import (
	"database/sql"
	"errors"
	"os"
	"testing"
	"time"

	"sesskeep/internal/lock"
)

// A writer whose lock is taken from under it leaves the database to the process that has it
// now.
func TestLostLock(t *testing.T) {
	d := openTest(t, t.TempDir())
	defer d.Close()
	must(t, os.Remove(d.lockPath()))
	l, err := lock.Acquire(d.lockPath())
	must(t, err)
	if _, err := lock.Acquire(d.lockPath()); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("a held lock gives %v", err)
	}
	must(t, os.Remove(d.lockPath()))
	if !l.Lost() {
		t.Error("a lock without its file is not lost")
	}
	w := &writeLock{db: d, lock: l}
	if err := w.writeSeal(sealWriting); !errors.Is(err, errLost) {
		t.Errorf("a lost lock gives %v", err)
	}
	must(t, l.Release())
	must(t, d.Write(t.Context(), time.Minute, func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO root (path) VALUES ('/h')")
		return err
	}))
}
