//go:build unix

package runs

import (
	"os"
	"syscall"
)

// OwnDir reports whether a directory belongs to this user.
func OwnDir(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
