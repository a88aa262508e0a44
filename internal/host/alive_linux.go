package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sesskeep/internal/regular"
)

// Alive reports whether a registered process runs here and is the one that
// registered. A number alone proves nothing: numbers are used again, and in a
// container they mean other processes.
func Alive(pid int, start, domain string) bool {
	if pid <= 0 || !ourDomain(domain) {
		return false
	}
	stat, err := regular.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"), 1<<16)
	return err == nil && !ended(string(stat)) && (start == "" || start == startTime(string(stat)))
}

// ended reports whether a process has ended, and its parent has not looked: it is a
// zombie, or about to go. That is field 3 of /proc/<pid>/stat.
func ended(stat string) bool {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	return len(fields) > 0 && (fields[0] == "Z" || fields[0] == "X")
}

// ourDomain reports whether domain, which looks like
// linux:<machine>:pid:[4026531836], names the process namespace we are in. Old
// clients wrote none.
func ourDomain(domain string) bool {
	if domain == "" {
		return true
	}
	_, space, ok := strings.Cut(domain, ":pid:[")
	if !ok || !strings.HasPrefix(domain, "linux:") {
		return false
	}
	ours, err := os.Readlink("/proc/self/ns/pid")
	return err == nil && ours == "pid:["+space
}

// startTime is field 22 of /proc/<pid>/stat. The second is the program's name
// in parentheses and can hold anything, so counting begins behind it.
func startTime(stat string) string {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const at = 22 - 3
	if len(fields) <= at {
		return ""
	}
	return fields[at]
}
