//go:build unix

package homefs_test

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
