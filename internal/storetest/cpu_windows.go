package storetest

import (
	"syscall"
	"time"
)

func processorTime() (time.Duration, error) {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, err
	}
	var created, exited, kernel, user syscall.Filetime
	err = syscall.GetProcessTimes(self, &created, &exited, &kernel, &user)
	return ticks(kernel) + ticks(user), err
}

// ticks reads a span, which is counted in 100 ns.
func ticks(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32+int64(t.LowDateTime)) * 100
}
