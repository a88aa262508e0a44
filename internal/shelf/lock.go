package shelf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"sesskeep"
)

// lock is the right to write our data: one process has it at a time, and it
// ends with that process, however that ends.
type lock struct {
	path string
	file *os.File
}

// takeLock takes the lock without waiting for it. The file says who has it, for
// people who look; nothing depends on that.
func takeLock(path string) (*lock, error) {
	for {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("lock our data: %w", err)
		}
		f, err := openLocked(path)
		if err != nil {
			return nil, &sesskeep.Error{Op: "lock", Name: path, Err: err}
		}
		l := &lock{path, f}
		if l.lost() { // removed between opening and locking
			if err := l.release(); err != nil {
				return nil, err
			}
			continue
		}
		_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
		if err := errors.Join(err, f.Truncate(int64(len(strconv.Itoa(os.Getpid()))+1))); err != nil {
			return nil, errors.Join(fmt.Errorf("lock our data: %w", err), l.release())
		}
		return l, nil
	}
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
