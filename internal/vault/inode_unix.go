//go:build !windows

package vault

import (
	"io/fs"
	"syscall"
)

// inode differs for two files of the same name.
func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}
