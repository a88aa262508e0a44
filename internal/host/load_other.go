//go:build !linux

package host

// LoadOf returns what a process takes up. It reports false: that is not known here.
func LoadOf(int) (Load, bool) { return Load{}, false }
