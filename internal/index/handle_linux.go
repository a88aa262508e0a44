package index

import (
	"sesskeep/homefs"

	"golang.org/x/sys/unix"
)

// handle is an open directory, or none.
type handle struct{ fd int }

// openHandle opens a directory only to find what is in it.
func openHandle(path string) handle {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		fd = -1
	}
	return handle{fd}
}

func (h handle) close() {
	if h.fd >= 0 {
		_ = unix.Close(h.fd)
	}
}

// stamp says how something in the directory looks. It says nothing of what is
// not there, and of links.
func (h handle) stamp(name string) (homefs.Mark, bool) {
	var st unix.Stat_t
	if h.fd < 0 || unix.Fstatat(h.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return homefs.Mark{}, false
	}
	return homefs.Mark{
		Device: uint64(st.Dev), Inode: st.Ino, Size: st.Size, Modtime: st.Mtim.Nano(), Changed: st.Ctim.Nano(),
	}, true
}
