//go:build amd64 || arm64

package readfault

import "golang.org/x/sys/unix"

// A shape says where the path of a call is found among its arguments.
type shape struct {
	call Call
	dir  int // argument with the descriptor that the path is relative to, or that is meant itself; -1: none
	path int // argument with the path; -1: none
}

// calls are the calls that read, by number.
var calls = withOld(map[int]shape{
	unix.SYS_OPENAT:     {Open, 0, 1},
	unix.SYS_OPENAT2:    {Open, 0, 1},
	unix.SYS_GETDENTS64: {List, 0, -1},
	unix.SYS_READ:       {Read, 0, -1},
	unix.SYS_PREAD64:    {Read, 0, -1},
	unix.SYS_READV:      {Read, 0, -1},
	unix.SYS_PREADV:     {Read, 0, -1},
	unix.SYS_FSTAT:      {Stat, 0, -1},
	unix.SYS_STATX:      {Stat, 0, 1},
	statAt:              {Stat, 0, 1},
})
