//go:build !windows

package disk

import (
	"errors"
	"os"
	"syscall"
)

// Cannot reports whether the system or the file system knows no such call.
func Cannot(err error) bool {
	return errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EINVAL) ||
		errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EOPNOTSUPP)
}

func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // some file systems know no such thing
	}
	return errors.Join(err, d.Close())
}
