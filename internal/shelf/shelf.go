// Package shelf is the only one that writes below Claude's home, and only what
// a user asked for.
//
// A [Plan] is a list of steps, worked out and not made: it can be shown, checked
// and thrown away. [Shelf.Do] makes it, and that is an [Act]. There are eight steps:
//
//   - [Replace] gives a file another content;
//   - [Move] moves a file or a directory;
//   - [Append] adds lines to the end of a file;
//   - [Create] makes a new file;
//   - [Label] changes what the user added to a session, in our own store;
//   - [Purge] removes for good what an act has moved to the trash;
//   - [Erase] removes for good a file or a directory of the home;
//   - [Forget] removes for good what the journal, its backups and the labels have of sessions.
//
// A step says what it expects to find, and is not made where that is not so. The
// steps of an act are independent of each other: none changes what another expects.
//
// Every act is in the journal before it happens, and what it removes is kept:
//
//   - A crash at any moment is rolled forward by the next act, or by
//     [Shelf.Recover]: every step can be started again, as the disk shows how
//     far it came. If a step cannot be done any more, the others of its act are
//     rolled back. Where that cannot be done either, the act is Unclear and says why.
//   - [Shelf.Undo] plans the steps that undo an act. Every step is checked before
//     any is done, and what others changed since is never overwritten.
//   - What another program writes while a file is replaced is not lost: the file
//     that was replaced is read again, and put back if it was written.
//
// No step leads to a secret, nor through a link to a place outside the home and
// our data directory; only links that the owner put directly in the home or in
// projects/ are followed. An act can change files elsewhere if the user named each of
// them for it (Named): no name of a file in a transcript is one of them by itself.
//
// The journal, the new contents that wait in stage/, and what was replaced, in
// backup/, lie in our data directory. Acts of one Shelf queue; they wait for
// an act of another process with the same data, or in the same home, for at most 5
// seconds.
package shelf

import (
	"errors"
	"time"

	"sesskeep/internal/disk"
)

// Why a change is not made.
var (
	ErrHeld    = errors.New("another sesskeep is writing")
	ErrChanged = errors.New("was changed since")
)

// Shelf makes changes and remembers them. A process has one for a data directory.
type Shelf struct {
	Journal *Journal

	data  *data
	queue chan struct{} // holds one value while an act is made

	// How long to wait for others.
	patience       time.Duration // another process that is making an act
	linger         time.Duration // a program that may still write a file we replaced
	writerPatience time.Duration // a program that is writing a file: it is empty, or open

	// Tests set these.
	cannotSwitch     bool // as where the system cannot exchange two files
	openFilesUnknown bool // as where it does not say which files are open
}

// New returns a shelf with its data in dir, which is made when it is needed. Now
// is the clock the journal is kept by.
func New(dir string, now func() time.Time) *Shelf {
	d := &data{dir: dir, disk: disk.Real, now: now, at: func(string) error { return nil }}
	return &Shelf{
		Journal: &Journal{d}, data: d, queue: make(chan struct{}, 1),
		patience: 5 * time.Second, linger: 50 * time.Millisecond, writerPatience: time.Second,
	}
}

// Now is the time by the clock the journal is kept by.
func (s *Shelf) Now() time.Time { return s.data.now() }
