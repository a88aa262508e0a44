package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
)

// Turn lets one process at a time read much into a database. The others wait: what they
// need is being read already. The file of its lock says which process it is and how far
// it is. Unlike the write lock, it is held between transactions.
type Turn struct {
	lock    *lock.Lock // nil: not held
	path    string
	stop    chan struct{}
	stopped chan struct{}

	done, total, bytes atomic.Int64
}

// Reader is the process that holds a turn, and how far it is.
type Reader struct {
	PID         int
	Done, Total int
	Bytes       int64
}

const (
	turnNote = 100 * time.Millisecond // between two notes
	turnPoll = 50 * time.Millisecond  // between two looks of one that waits
)

// TurnStalled is how long a process waits for one that does not get on and does not
// even say that it is alive: it was stopped. Tests wait less long.
var TurnStalled = 5 * time.Second

// WaitForTurn takes the turn, and waits while another process has it: waiting is called
// with how far that one is. It gives nil if there is none to take: in memory, where the lock
// cannot be made, or because the other process was stopped. waited says that there was
// another one, so that more may be in the database now.
func (d *DB) WaitForTurn(ctx context.Context, waiting func(Reader)) (t *Turn, waited bool, err error) {
	if d.path == "" {
		return nil, false, nil
	}
	path := filepath.Join(filepath.Dir(d.path), "reading.lock")
	last, since := "", time.Now()
	for pause := turnPoll / 16; ; pause = min(2*pause, turnPoll) {
		l, err := lock.Acquire(path)
		if err == nil {
			return startTurn(l, path), waited, nil
		}
		if !errors.Is(err, lock.ErrHeld) {
			return nil, waited, nil // without a lock all read, and one of them writes
		}
		waited = true
		r, note := readerOf(path)
		if note != last {
			last, since = note, time.Now()
		}
		if time.Since(since) > TurnStalled {
			return nil, waited, nil
		}
		waiting(r)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, waited, ctx.Err()
		}
	}
}

// readerOf reads what the holder of a turn noted.
func readerOf(path string) (r Reader, note string) {
	raw, err := regular.ReadFile(path, 256)
	if err != nil {
		return r, ""
	}
	var count int
	_, _ = fmt.Sscan(string(raw), &r.PID, &count, &r.Done, &r.Total, &r.Bytes) // what is missing stays 0
	return r, string(raw)
}

func startTurn(l *lock.Lock, path string) *Turn {
	t := &Turn{lock: l, path: path, stop: make(chan struct{}), stopped: make(chan struct{})}
	t.note(0)
	go t.keepNoting()
	return t
}

// keepNoting notes again and again how far this process is, and that it lives.
func (t *Turn) keepNoting() {
	defer close(t.stopped)
	ticker := time.NewTicker(turnNote)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ticker.C:
			t.note(n)
		case <-t.stop:
			return
		}
	}
}

// note is for people and for those who wait; if it cannot be written they wait less.
func (t *Turn) note(n int) {
	_ = t.lock.Note(fmt.Sprintf("%-9d %-9d %-9d %-15d", n, t.done.Load(), t.total.Load(), t.bytes.Load()))
}

// Report takes down how far this process is.
func (t *Turn) Report(done, total int, bytes int64) {
	t.done.Store(int64(done))
	t.total.Store(int64(total))
	t.bytes.Store(bytes)
}

// WantRows asks the process that has the turn for rows soon.
func (d *DB) WantRows() {
	if f, err := regular.OpenFile(d.wantPath(), os.O_WRONLY|os.O_CREATE, 0o600); err == nil {
		_ = f.Close()
	}
}

// RowsWanted reports whether another process said since the last call that it waits for rows.
func (d *DB) RowsWanted() bool { return d.path != "" && os.Remove(d.wantPath()) == nil }

func (d *DB) wantPath() string { return filepath.Join(filepath.Dir(d.path), "reading.wanted") }

// Release ends the turn. That of a nil Turn does nothing.
func (t *Turn) Release() error {
	if t == nil {
		return nil
	}
	close(t.stop)
	<-t.stopped
	return t.lock.Release()
}
