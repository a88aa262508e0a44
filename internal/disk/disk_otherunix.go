//go:build !windows && !linux && !darwin

package disk

import "syscall"

func exchange(string, string) error { return syscall.ENOSYS }

func renameNew(string, string) error { return syscall.ENOSYS }
