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

// What the first argument of the launcher names, besides the kinds of calls.
const askAll, askNone = "all", "none"

// Launch becomes the program that the arguments name, with a filter that asks the
// listener about the calls that the first argument names. It returns only if it fails.
func Launch() {
	runtime.LockOSThread() // the filter belongs to the thread that becomes the program
	if err := launch(); err != nil {
		fmt.Fprintln(os.Stderr, "readfault:", err)
		os.Exit(125)
	}
}

func launch() error {
	listener, err := listen(os.Args[1])
	if err != nil {
		return fmt.Errorf("install the filter: %w", err)
	}
	if err := unix.Sendmsg(socket, []byte{0}, unix.UnixRights(listener), nil, 0); err != nil {
		return fmt.Errorf("send the listener: %w", err)
	}
	unix.CloseOnExec(socket)
	unix.CloseOnExec(listener)
	return syscall.Exec(os.Args[2], os.Args[2:], os.Environ())
}

// listen puts the filter on this thread.
func listen(asked string) (int, error) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	filter := program(asked)
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return 0, errno
	}
	return int(fd), nil
}

// program is the filter: it asks about calls of the table and lets all others pass. One
// that asks about none still shows when the last process is gone.
func program(asked string) []unix.SockFilter {
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the number of the call
	for nr, shape := range calls {
		if asked != askAll && asked != string(shape.call) {
			continue
		}
		filter = append(filter,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: uint32(nr)},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	return append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
}
