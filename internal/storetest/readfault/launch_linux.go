//go:build amd64 || arm64

package readfault

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// socket is the descriptor over which the launcher hands its listener to [Run].
const socket = 3

// Launch becomes the program that the arguments name, with a filter that asks the
// listener about every call that reads. It returns only if it fails.
func Launch() {
	runtime.LockOSThread() // the filter belongs to the thread that becomes the program
	if err := launch(); err != nil {
		fmt.Fprintln(os.Stderr, "readfault:", err)
		os.Exit(125)
	}
}

func launch() error {
	listener, err := listen()
	if err != nil {
		return fmt.Errorf("install the filter: %w", err)
	}
	if err := unix.Sendmsg(socket, []byte{0}, unix.UnixRights(listener), nil, 0); err != nil {
		return fmt.Errorf("send the listener: %w", err)
	}
	unix.CloseOnExec(socket)
	unix.CloseOnExec(listener)
	return syscall.Exec(os.Args[1], os.Args[1:], os.Environ())
}

// listen puts the filter on this thread.
func listen() (int, error) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	filter := program()
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return 0, errno
	}
	return int(fd), nil
}

// program is the filter: it asks about the calls of the table and lets all others pass.
func program() []unix.SockFilter {
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the number of the call
	for nr := range calls {
		filter = append(filter,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: uint32(nr)},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	return append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
}
