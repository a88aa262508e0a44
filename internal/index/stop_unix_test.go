//go:build !windows

package index

import (
	"syscall"
	"testing"
)

// stop keeps a child where it is until it is killed.
func stop(t *testing.T, c *child) {
	t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}
