package sesskeep

import (
	"io/fs"
	"syscall"
)

// diskMark fills in what the file system says.
func diskMark(info fs.FileInfo) Mark {
	m := Mark{Size: info.Size(), Modtime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		m.Device, m.Inode, m.Changed = uint64(st.Dev), st.Ino, st.Ctimespec.Nano()
	}
	return m
}

// hardLinks counts the names of a file.
func hardLinks(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}
