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
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
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
