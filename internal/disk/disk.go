// Package disk is the way in which our stores write: every call that can fail,
// or that a crash can undo, is a method of a [System].
//
// Production code takes [Real]. Tests take the one of package disktest, which
// fails a call, or stops the world at one and forgets what was not synced.
//
// What the stores rely on is what file systems promise:
//
//   - the bytes of a file are on the disk once its Sync returned, not before;
//   - a name that was made, changed or removed stays so once SyncDir of its
//     directory returned;
//   - a rename happens as a whole or not at all.
//
// Reading needs no such care, and goes through package regular.
package disk

import (
	"io"
	"io/fs"
	"os"
	"time"

	"sesskeep/internal/regular"
)

// System makes changes on a file system.
type System interface {
	// OpenFile opens or makes a regular file, as [os.OpenFile] does. It waits for
	// no pipe.
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Mkdir(name string, perm fs.FileMode) error
	// Rename replaces what has the new name.
	Rename(from, to string) error
	// RenameNew replaces nothing: a name that is taken gives [fs.ErrExist]. Where
	// the system cannot do that in one step, [Cannot] reports the error.
	RenameNew(from, to string) error
	// Exchange gives two files each other's name in one step, or gives an error
	// that Cannot reports.
	Exchange(a, b string) error
	Link(from, to string) error
	Remove(name string) error
	Chmod(name string, mode fs.FileMode) error
	Chtimes(name string, atime, mtime time.Time) error
	// SyncDir makes sure that names made, changed or removed in a directory stay
	// so.
	SyncDir(name string) error
}

// File is an open file that is written.
type File interface {
	io.Writer
	io.ReaderAt
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	// Sync does not come back before the bytes are on the disk.
	Sync() error
}

// Real is the system this program runs on.
var Real System = system{}

type system struct{}

func (system) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := regular.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // not a File that holds a nil *os.File
	}
	return f, nil
}

func (system) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }
func (system) Rename(from, to string) error              { return os.Rename(from, to) }
func (system) RenameNew(from, to string) error {
	return linkError("rename", from, to, renameNew(from, to))
}
func (system) Exchange(a, b string) error                { return linkError("exchange", a, b, exchange(a, b)) }
func (system) Link(from, to string) error                { return os.Link(from, to) }
func (system) Remove(name string) error                  { return os.Remove(name) }
func (system) Chmod(name string, mode fs.FileMode) error { return os.Chmod(name, mode) }
func (system) SyncDir(name string) error                 { return syncDir(name) }

func (system) Chtimes(name string, atime, mtime time.Time) error {
	return os.Chtimes(name, atime, mtime)
}

func linkError(op, from, to string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: from, New: to, Err: err}
}
