//go:build !linux

package host

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// Alive reports whether a registered process runs here. When it started is
// written in the words of its system and not compared.
func Alive(pid int, _, domain string) bool {
	if pid <= 0 || strings.HasPrefix(domain, "linux:") {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" {
		return true // finding one opens it there
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, syscall.EPERM)
}
