package readfault

import "golang.org/x/sys/unix"

const statAt = unix.SYS_NEWFSTATAT

// withOld adds the calls that newer machines do not have.
func withOld(calls map[int]shape) map[int]shape {
	calls[unix.SYS_OPEN] = shape{Open, -1, 0}
	calls[unix.SYS_STAT] = shape{Stat, -1, 0}
	calls[unix.SYS_LSTAT] = shape{Stat, -1, 0}
	calls[unix.SYS_GETDENTS] = shape{List, 0, -1}
	return calls
}
