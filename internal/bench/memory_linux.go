package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// memory is the most a process held at once.
func memory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss * 1024
	}
	return 0
}

// peak is the most a process that runs has held at once.
func peak(pid int) int64 { return statusOf(pid, "VmHWM:") }

// resident is what a process that runs holds.
func resident(pid int) int64 { return statusOf(pid, "VmRSS:") }

func statusOf(pid int, field string) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), field)
	var kilobytes int64
	_, _ = fmt.Sscan(after, &kilobytes) // 0 where it is not said
	return kilobytes << 10
}

// spent is the processor time of a process that runs, in hundredths of a second.
func spent(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	var user, system int64
	_, _ = fmt.Sscan(fields[11]+" "+fields[12], &user, &system) // 0 where it is not said
	return time.Duration(user+system) * 10 * time.Millisecond
}
