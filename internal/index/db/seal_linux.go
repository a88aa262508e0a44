package db

import (
	"io/fs"
	"syscall"
)

func imprintOf(info fs.FileInfo) imprint {
	m := imprint{Size: info.Size(), Modtime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		m.Changed, m.Inode = st.Ctim.Nano(), st.Ino
	}
	return m
}
