//go:build !linux

package storetest

// Plain makes this process one that the rights of files hold for, where that can
// be done.
func Plain() {}
