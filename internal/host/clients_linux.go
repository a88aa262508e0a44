package host

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sesskeep/internal/regular"
)

// ticks is how many of them /proc counts to a second, on every machine.
const ticks = 100

// Clients lists the running processes that are Claude Code. It reports false if
// that cannot be known. Where they run and since when is all it reads: what they
// were started with can hold secrets.
func Clients() ([]Process, bool) {
	boot, ok := bootTime()
	if !ok {
		return nil, false
	}
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		return nil, false
	}
	var list []Process
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil || !isClient(pid) {
			continue
		}
		cwd, err := os.Readlink(procFile(pid, "cwd"))
		if err != nil { // it is gone, or somebody else's
			continue
		}
		stat, err := regular.ReadFile(procFile(pid, "stat"), maxProc)
		if err != nil {
			continue
		}
		since, err := strconv.ParseInt(startTime(string(stat)), 10, 64)
		if err != nil {
			continue
		}
		list = append(list, Process{PID: pid, Cwd: cwd, Started: boot.Add(time.Duration(since) * time.Second / ticks)})
	}
	return list, true
}

// maxProc is more than a file of a process holds that is read here.
const maxProc = 1 << 20

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// isClient reports whether a process calls itself claude, as all clients do once
// they have started.
func isClient(pid int) bool {
	name, err := regular.ReadFile(procFile(pid, "comm"), maxProc)
	return err == nil && string(bytes.TrimSpace(name)) == "claude"
}

// bootTime is when the system was started, from which processes count.
func bootTime() (time.Time, bool) {
	data, err := regular.ReadFile("/proc/stat", maxProc)
	if err != nil {
		return time.Time{}, false
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "btime "); ok {
			seconds, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
			return time.Unix(seconds, 0), err == nil
		}
	}
	return time.Time{}, false
}
