package host

import (
	"os"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/regular"
)

// LoadOf returns what a process takes up; false where that is not known. What it started
// does not count.
func LoadOf(pid int) (Load, bool) {
	stat, err := regular.ReadFile(procFile(pid, "stat"), maxProc)
	if err != nil {
		return Load{}, false
	}
	memory, err := regular.ReadFile(procFile(pid, "statm"), maxProc)
	if err != nil {
		return Load{}, false
	}
	return parseLoad(string(stat), string(memory))
}

// parseLoad reads fields 14 and 15 of stat, the time in the program and in the system, and
// field 2 of statm, the pages in memory.
func parseLoad(stat, memory string) (Load, bool) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	pages := strings.Fields(memory)
	const at = 14 - 3
	if len(fields) <= at+1 || len(pages) < 2 {
		return Load{}, false
	}
	user, errUser := strconv.ParseInt(fields[at], 10, 64)
	system, errSystem := strconv.ParseInt(fields[at+1], 10, 64)
	resident, errPages := strconv.ParseInt(pages[1], 10, 64)
	if errUser != nil || errSystem != nil || errPages != nil {
		return Load{}, false
	}
	return Load{CPU: time.Duration(user+system) * time.Second / ticks, Memory: resident * int64(os.Getpagesize())}, true
}
