//go:build unix

package access

import (
	"fmt"
	"os"
	"syscall"
)

// private returns an error unless the file is a regular file of this user that no
// other user can read.
func private(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Getuid() {
		return fmt.Errorf("%w: it belongs to another user", ErrExposed)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("%w: its mode is %#o, which must be 0600", ErrExposed, mode)
	}
	return nil
}
