package shelf

import (
	"time"

	"golang.org/x/sys/unix"
)

// exchange gives two files each other's name in one step.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }

// renameFresh renames unless the new name is taken.
func renameFresh(from, to string) error { return unix.RenamexNp(from, to, unix.RENAME_EXCL) }

// born returns when a file was made; zero where that is not known.
func born(path string) time.Time {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return time.Time{}
	}
	return time.Unix(st.Btim.Unix())
}

// mountOf returns the mount a path is on; here a file system has one.
func mountOf(string) uint64 { return 0 }

// openToWrite reports whether a program has a file open to write it; the system
// does not tell.
func openToWrite(string) bool { return false }
