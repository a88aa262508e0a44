//go:build linux || darwin || freebsd

package disk

import (
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Free is how many bytes this user can still write below a directory, which need
// not be there yet.
func Free(dir string) (int64, error) {
	var st unix.Statfs_t
	err := unix.Statfs(dir, &st)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		err = unix.Statfs(dir, &st)
	}
	return int64(st.Bavail) * int64(st.Bsize), err
}
