//go:build !windows && !linux && !darwin

package shelf

import (
	"syscall"
	"time"
)

// exchange would give two files each other's name in one step.
func exchange(string, string) error { return syscall.ENOSYS }

// renameFresh would rename unless the new name is taken.
func renameFresh(string, string) error { return syscall.ENOSYS }

// born returns when a file was made; here that is not known.
func born(string) time.Time { return time.Time{} }

// mountOf returns the mount a path is on; here a file system has one.
func mountOf(string) uint64 { return 0 }

// openToWrite reports whether a program has a file open to write it; the system
// does not tell.
func openToWrite(string) bool { return false }
