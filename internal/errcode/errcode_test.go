package errcode

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

// What a caller can do something about has a code of its own.
func TestOf(t *testing.T) {
	for want, err := range map[Code]error{
		NoSpace:  &os.PathError{Op: "write", Path: "/x", Err: syscall.ENOSPC},
		Conflict: fmt.Errorf("undo 7: %w", ErrPurged),
	} {
		if got := Of(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
	if got := Of(fmt.Errorf("write: %w", syscall.EDQUOT)); got != NoSpace {
		t.Errorf("a used-up quota: %q", got)
	}
}
