package main

import (
	"os"
	"syscall"
)

// memory is the most a process held at once.
func memory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss * 1024
	}
	return 0
}
