//go:build !windows && !linux && !darwin

package shelf

import "time"

// born returns when a file was made; here that is not known.
func born(string) time.Time { return time.Time{} }

// mountOf returns the mount a path is on; here a file system has one.
func mountOf(string) uint64 { return 0 }

// isWritten reports whether a program has a file open to write it; here the
// system does not say.
func isWritten(string) bool { return false }
