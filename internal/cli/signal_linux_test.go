package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/storetest"
)

// A command that waits for something no context interrupts, here for the reader
// of its output, still ends soon after it was told to.
func TestSignalEnds(t *testing.T) {
	const id = "5e551017-0000-4000-8000-000000000001"
	home := storetest.Home(t, fmt.Sprintf("-- projects/-w/%s.jsonl --\n"+
		`{"type":"user","uuid":"a","sessionId":"%s","cwd":"/w","message":{"role":"user","content":"%s"}}`+"\n",
		id, id, strings.Repeat("word ", 200_000)))
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.Command("sesskeep", "--claude-dir", home, "show", "--raw", id)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Once something comes the rest fills the pipe.
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		ended := make(chan *os.ProcessState, 1)
		go func() {
			state, _ := cmd.Process.Wait()
			ended <- state
		}()
		select {
		case state := <-ended:
			if state == nil || state.ExitCode() != 130 {
				t.Errorf("%v: %v", signal, state)
			}
		case <-time.After(slow):
			err := cmd.Process.Kill()
			t.Fatalf("%v did not end it; %v", signal, errors.Join(err, out.Close()))
		}
	}
}
