//go:build unix

package sesskeep_test

import (
	"syscall"
	"testing"
)

// makePipe makes a pipe with a name.
func makePipe(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
}
