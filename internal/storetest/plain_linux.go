package storetest

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Plain makes this process one that the rights of files hold for, as they do for
// ordinary users: root without its power to read everything. It starts the program
// again if it has that power; without it, or without the right to give it up, it
// returns.
func Plain() {
	if os.Getuid() != 0 {
		return
	}
	runtime.LockOSThread() // the bounds are those of a thread
	defer runtime.UnlockOSThread()
	dropped := false
	for _, power := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
		if has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, power, 0, 0, 0); err != nil || has == 0 {
			continue
		}
		if unix.Prctl(unix.PR_CAPBSET_DROP, power, 0, 0, 0) != nil {
			return
		}
		dropped = true
	}
	if dropped {
		_ = syscall.Exec("/proc/self/exe", os.Args, os.Environ()) // where it fails, the test says so
	}
}
