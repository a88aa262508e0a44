//go:build !linux

package host

// Clients lists the running processes that are Claude Code. It reports false:
// that is not known here.
func Clients() ([]Process, bool) { return nil, false }
