package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"os"
	"time"

	"sesskeep"
	"sesskeep/internal/lock"
	"sesskeep/internal/regular"
	"sesskeep/internal/stamp"
)

// Record is one line of the life-cycle log: one thing that happened to a
// session.
type Record struct {
	Time    time.Time          `json:"timestamp"`
	Root    string             `json:"root"`
	Session sesskeep.SessionID `json:"sessionId"`
	Kind    Kind               `json:"kind"`
	State   Word               `json:"state,omitempty"`
	Was     Word               `json:"was,omitempty"`
	Why     string             `json:"why,omitempty"`
	File    string             `json:"file,omitempty"`
	PID     int                `json:"pid,omitempty"`
	Next    sesskeep.SessionID `json:"nextSessionId,omitempty"`
}

// MarshalJSON writes the time in milliseconds.
func (r Record) MarshalJSON() ([]byte, error) {
	type plain Record
	return json.Marshal(struct {
		Time stamp.Time `json:"timestamp"`
		plain
	}{stamp.Time{Time: r.Time}, plain(r)})
}

// logSize is how large the log grows before it becomes the old one. There is
// one old one.
const logSize = 16 << 20

// logbook writes the life-cycle log. One process does at a time: each of them
// sees everything, and one line for each thing is enough. The lock ends with
// the process, however that ends.
type logbook struct {
	path  string
	limit int64 // 0: logSize
	lock  *lock.Lock
	file  *os.File
	lines []byte // to be written
}

// tryLock tries to become the one that writes.
func (b *logbook) tryLock() {
	if b.lock != nil {
		return
	}
	// Another process may hold it; sweep tries again.
	b.lock, _ = lock.Acquire(b.path + ".lock")
}

// write adds a line, if it is our turn to.
func (b *logbook) write(r Record) {
	line, err := json.Marshal(r)
	if b.lock == nil || err != nil {
		return
	}
	b.lines = append(append(b.lines, line...), '\n')
}

// flush writes the lines that were added. A log that cannot be written does not
// keep a Hub from its work.
func (b *logbook) flush() {
	if len(b.lines) > 0 && b.ready() == nil {
		_, _ = b.file.Write(b.lines)
	}
	b.lines = b.lines[:0]
}

// ready opens the log and makes room in it.
func (b *logbook) ready() error {
	if b.file != nil {
		info, err := b.file.Stat()
		there, gone := os.Lstat(b.path)
		if err == nil && gone == nil && os.SameFile(info, there) && info.Size() < b.most() {
			return nil
		}
		b.file.Close()
		b.file = nil
	}
	if info, err := os.Lstat(b.path); err == nil && info.Size() >= b.most() {
		if err := os.Rename(b.path, rotatedLog(b.path)); err != nil {
			return err
		}
	}
	var err error
	b.file, err = regular.OpenFile(b.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	return err
}

func (b *logbook) most() int64 {
	if b.limit > 0 {
		return b.limit
	}
	return logSize
}

// rotatedLog is the file that a full log is renamed to.
func rotatedLog(path string) string { return path + ".1" }

func (b *logbook) close() {
	b.flush()
	if b.file != nil {
		b.file.Close()
	}
	if b.lock != nil {
		_ = b.lock.Release() // it ends with the process anyway
	}
	b.file, b.lock = nil, nil
}

// record writes an event into the log.
func (l *loop) record(ev Event) {
	if l.log == nil {
		return
	}
	l.log.write(Record{
		Time: ev.Time, Root: ev.Root, Session: ev.Key.Session, Kind: ev.Kind,
		State: ev.State.Word, Was: ev.Was.Word, Why: ev.State.Why,
		File: ev.File, PID: ev.State.PID, Next: ev.Next.Session,
	})
}

// ReadLog returns the records of the life-cycle log at path, the oldest first.
// A missing log is empty. A line that was cut off by a crash is skipped.
func ReadLog(path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for _, name := range []string{rotatedLog(path), path} {
			if !readLog(name, yield) {
				return
			}
		}
	}
}

func readLog(name string, yield func(Record, error) bool) bool {
	f, err := regular.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		return yield(Record{}, &sesskeep.Error{Op: "read", Name: name, Err: err})
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r Record
		if json.Unmarshal(bytes.TrimSpace(lines.Bytes()), &r) != nil || r.Kind == "" {
			continue
		}
		if !yield(r, nil) {
			return false
		}
	}
	if err := lines.Err(); err != nil {
		return yield(Record{}, &sesskeep.Error{Op: "read", Name: name, Err: err})
	}
	return true
}
