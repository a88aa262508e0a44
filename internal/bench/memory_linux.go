package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// memory is the most a process held at once.
func memory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss * 1024
	}
	return 0
}

// peak is the most a process that runs has held at once.
func peak(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	_, _ = fmt.Sscan(after, &kilobytes) // 0 where it is not said
	return kilobytes << 10
}
