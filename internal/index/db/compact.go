package db

import (
	"context"
	"errors"
	"time"
)

// compactWait is how long Compact waits for readers that still need the old pages.
const compactWait = 5 * time.Second

// Compact writes the whole database again, so that none of its files holds a byte of what was
// deleted. If readers of other processes need the old pages for too long, it puts an empty
// database into the place, and reports that by false.
func (d *DB) Compact(ctx context.Context) (kept bool, err error) {
	if d.path == "" {
		return true, nil
	}
	if err := d.waitForWriters(ctx, patience); err != nil {
		return true, err
	}
	defer func() { <-d.writing }()
	w, err := d.lockForWriting(ctx, patience)
	if err != nil {
		return true, err
	}
	kept = true
	if err = w.vacuum(ctx); err != nil && ctx.Err() == nil {
		kept, err = false, w.recreate()
	}
	d.removeOlder()
	return kept, errors.Join(err, w.release())
}

// vacuum writes the database again, and its log into it.
func (w *writeLock) vacuum(ctx context.Context) error {
	if err := w.writeSeal(sealWriting); err != nil {
		return err
	}
	c, err := w.db.write.Conn(ctx)
	if err != nil {
		return err
	}
	_, err = c.ExecContext(ctx, "PRAGMA secure_delete = on; VACUUM")
	if err = errors.Join(err, c.Close()); err != nil {
		return err
	}
	w.db.wrote.Store(true)
	whole, err := w.foldLog(compactWait)
	if err == nil && !whole {
		err = errors.New("a reader is in the way")
	}
	if err == nil {
		err = w.writeSeal(sealWriting)
	}
	return err
}
