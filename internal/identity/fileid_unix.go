//go:build !windows

package identity

import (
	"os"
	"syscall"
)

// fileID is what the file system calls a directory; zero if it is not there.
func fileID(dir string) (device, inode uint64) {
	info, err := os.Stat(dir)
	if err != nil {
		return 0, 0
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return uint64(st.Dev), uint64(st.Ino)
}
