//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// detach lets a program continue when the terminal is closed.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
