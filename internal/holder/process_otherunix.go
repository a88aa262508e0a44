//go:build unix && !linux

package holder

import "syscall"

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// awaitExit returns false: this system cannot wait for a child without reaping it,
// so processes that a client leaves in its group are not ended with it.
func awaitExit(int) bool { return false }
