package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// lock is the right to write an index: one process has it at a time, and it
// ends with that process, however that ends.
type lock struct {
	path string
	file *os.File
}

// errHeld says that somebody else has the lock.
var errHeld = errors.New("another process is writing the index")

// takeLock takes the lock without waiting for it. The file says who has it, for
// people who look; nothing depends on that.
func takeLock(path string) (*lock, error) {
	for {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("lock the index: %w", err)
		}
		f, err := openLocked(path)
		if err != nil {
			return nil, fmt.Errorf("lock the index: %w", err)
		}
		l := &lock{path, f}
		if l.lost() { // removed between opening and locking
			l.release()
			continue
		}
		pid := strconv.Itoa(os.Getpid()) + "\n"
		if err := errors.Join(f.Truncate(0), writeAt(f, pid)); err != nil {
			return nil, errors.Join(fmt.Errorf("lock the index: %w", err), l.release())
		}
		return l, nil
	}
}

func writeAt(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

// lost reports whether the lock file is not there any more. Then another
// process can have made and locked one of its own.
func (l *lock) lost() bool {
	mine, err := l.file.Stat()
	if err != nil {
		return true
	}
	there, err := os.Lstat(l.path)
	return err != nil || !os.SameFile(mine, there)
}

func (l *lock) release() error { return l.file.Close() }
