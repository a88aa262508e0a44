// Package lock keeps processes of ours from writing the same thing at once.
//
// A lock is a file that one process has at a time. It ends with that process,
// however that ends, so none is ever left behind. Acquiring never waits: a process
// that cannot have the lock does something else meanwhile.
package lock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Lock is a lock that this process holds.
type Lock struct {
	path string
	file *os.File
}

// ErrHeld means that another process has the lock.
var ErrHeld = errors.New("another process is at it")

// Acquire acquires a lock. It writes the owner into the file for people to read;
// nothing depends on that.
func Acquire(path string) (*Lock, error) {
	for {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			// For a directory that cannot be read, MkdirAll only says that it exists.
			if _, reason := os.Stat(filepath.Dir(path)); reason != nil {
				err = reason
			}
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		f, err := open(path)
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		l := &Lock{path, f}
		if l.Lost() { // removed between opening and locking
			if err := l.Release(); err != nil {
				return nil, err
			}
			continue
		}
		if err := l.sign(); err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), l.Release())
		}
		return l, nil
	}
}

// Held reports whether a process has the lock. It creates nothing, and callers that ask at the
// same time do not see each other; one that acquires the lock at that moment can see them.
func Held(path string) bool {
	err := probe(path)
	return errors.Is(err, ErrHeld)
}

// AcquireDir locks a directory without writing anything: for processes of ours that
// share nothing else. If the file system does not support that, the error says so and
// is not ErrHeld.
func AcquireDir(dir string) (*Lock, error) {
	f, err := openDir(dir)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return &Lock{dir, f}, nil
}

// sign writes over what the last one wrote, in as many bytes: some systems write
// a file that was cut to nothing to the disk at once, which takes a millisecond.
func (l *Lock) sign() error {
	_, err := l.file.WriteAt(fmt.Appendf(nil, "%-10d\n", os.Getpid()), 0)
	return err
}

// Note writes how far the owner is behind its signature, for those who read the file. Each
// note has to be as long as the one before.
func (l *Lock) Note(text string) error {
	_, err := l.file.WriteAt([]byte(text+"\n"), 11)
	return err
}

// Lost reports whether the lock file is not there any more. Then another
// process can have made and locked one of its own.
func (l *Lock) Lost() bool {
	mine, err := l.file.Stat()
	if err != nil {
		return true
	}
	there, err := os.Lstat(l.path)
	return err != nil || !os.SameFile(mine, there)
}

// Release gives the lock back.
func (l *Lock) Release() error { return l.file.Close() }
