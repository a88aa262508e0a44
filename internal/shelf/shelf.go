// Package shelf is the only one that writes below Claude's home, and only what
// a user asked for.
//
// A Plan is a change of one file, worked out and not made: it can be shown, and
// thrown away. Do makes it, and that is an Act. Every act is in the journal
// before it happens, with the bytes it replaces kept in a backup, so that
//
//   - it can be undone, which is a Plan like any other: the file gets back its
//     very bytes if it is still as the act left it. What others changed since is
//     never overwritten; then only our own part is taken out, or nothing is done;
//   - a crash in the middle is settled the next time: the file is as it was, or
//     as it was to be. Where it is neither, that is said and the file is left
//     alone.
//
// The journal and the backups lie in our data directory, which one process
// writes at a time.
//
// Settings are JSON that people write by hand. They are edited as text: what is
// not ours keeps its bytes, its order, its white space and its line ends.
package shelf

import (
	"path/filepath"
	"time"
)

// Shelf makes changes and remembers them.
type Shelf struct {
	dir string
	now func() time.Time
}

// New is a shelf with its data in dir, which is made when it is needed. Now is
// the clock the journal is kept by.
func New(dir string, now func() time.Time) *Shelf {
	return &Shelf{dir: dir, now: now}
}

func (s *Shelf) journalPath() string           { return filepath.Join(s.dir, "journal.jsonl") }
func (s *Shelf) backupPath(name string) string { return filepath.Join(s.dir, "backup", name) }
