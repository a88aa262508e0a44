//go:build unix

package holder

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// A client that has ended before it is told to is no trouble for its run.
func TestSignalAfterEnd(t *testing.T) {
	p, err := startProcess(exec.Command("true"))
	if err != nil {
		t.Fatal(err)
	}
	p.wait()
	if err := errors.Join(p.terminate(), p.kill()); !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	h := &holder{}
	h.keepErrorLocked(p.kill())
	if h.firstErr != nil {
		t.Errorf("noted: %v", h.firstErr)
	}
}
