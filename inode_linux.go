package sesskeep

import (
	"io/fs"
	"syscall"
)

// InodeOf returns what the file system says of a file besides its size and time.
func InodeOf(info fs.FileInfo) Inode {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Inode{Links: 1}
	}
	return Inode{Device: uint64(st.Dev), Number: st.Ino, Changed: st.Ctim.Nano(), Links: uint64(st.Nlink)}
}
