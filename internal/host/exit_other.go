//go:build !linux

package host

// OnExit returns false: this system offers no way to wait for a process that is not a
// child.
func OnExit(int, func()) (stop func(), ok bool) { return func() {}, false }
