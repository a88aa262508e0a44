//go:build !linux

package storetest

import (
	"os"
	"testing"
)

// AsPlain reports true where the rights of files hold for this process, as they do for
// ordinary users of Unix, and skips the test elsewhere.
func AsPlain(t *testing.T) bool {
	t.Helper()
	if os.Getuid() <= 0 {
		t.Skip("the rights of files do not hold for this process")
	}
	return true
}
