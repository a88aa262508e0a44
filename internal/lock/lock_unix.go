//go:build !windows

package lock

import (
	"errors"
	"os"
	"syscall"

	"sesskeep/internal/regular"
)

// open opens a file that no other process can open this way until it is
// closed.
func open(path string) (*os.File, error) {
	f, err := regular.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	return hold(f, syscall.LOCK_EX)
}

// probe returns ErrHeld if another process has the lock. A shared lock is enough to see that.
func probe(path string) error {
	f, err := regular.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err == nil {
		f, err = hold(f, syscall.LOCK_SH)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// openDir is open for a directory, which it does not change.
func openDir(path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, errors.Join(err, syscall.ENOTDIR)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return hold(f, syscall.LOCK_EX)
}

// hold locks an open file, or closes it.
func hold(f *os.File, kind int) (*os.File, error) {
	for {
		err := syscall.Flock(int(f.Fd()), kind|syscall.LOCK_NB)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			err = ErrHeld
		}
		return nil, errors.Join(err, f.Close())
	}
}
