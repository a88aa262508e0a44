package readfault

import "golang.org/x/sys/unix"

const statAt = unix.SYS_FSTATAT

func withOld(calls map[int]shape) map[int]shape { return calls }
