package host

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// OnExit calls gone once, when a process has ended. It reports false where the system
// cannot say so: then, and after stop has returned, gone is not called.
func OnExit(pid int, gone func()) (stop func(), ok bool) {
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	if err != nil {
		return func() {}, false
	}
	file := os.NewFile(uintptr(fd), "pidfd") // the runtime waits for it, no thread does
	raw, err := file.SyscallConn()
	if err != nil {
		_ = file.Close()
		return func() {}, false
	}
	var once sync.Once
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := raw.Read(func(fd uintptr) bool { return readable(int(fd)) })
		if err == nil { // else it was closed
			once.Do(gone)
		}
	}()
	return func() {
		once.Do(func() {})
		_ = file.Close()
		<-done
	}, true
}

// readable reports whether a pidfd says that its process has ended.
func readable(fd int) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0
}
