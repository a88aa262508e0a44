package shelf

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// born returns when a file was made; zero where that is not known.
func born(path string) time.Time {
	var st unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &st)
	if err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return time.Time{}
	}
	return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec))
}

// mountOf returns the mount a path is on: between two of them nothing can be
// renamed, on one file system either.
func mountOf(path string) uint64 {
	var st unix.Statx_t
	if unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_MNT_ID, &st) != nil {
		return 0
	}
	return st.Mnt_id
}

// isWritten reports whether a program has a file open to write it. The system
// grants no lease to read such a file; ours ends when we close it.
func isWritten(path string) bool {
	f, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return err == unix.EAGAIN
}
