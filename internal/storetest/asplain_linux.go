package storetest

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// AsPlain reports whether the rights of files hold for this process, as they do for
// ordinary users. As root it runs the test once more in a process without root's rights,
// and reports false: that run is the test.
func AsPlain(t *testing.T) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return true
	}
	const mark = "SESSKEEP_AS_PLAIN"
	if os.Getenv(mark) != "" {
		Plain()
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+regexp.QuoteMeta(t.Name())+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), mark+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("as a plain user: %v\n%s", err, out)
	}
	return false
}
