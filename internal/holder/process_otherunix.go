//go:build unix && !linux

package holder

import "syscall"

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// awaitExit cannot wait for a child without reaping it here. So what a client
// leaves in its group is not ended with it.
func awaitExit(int) bool { return false }
