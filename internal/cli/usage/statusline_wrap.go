package usage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"time"

	"sesskeep/internal/cli/fail"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/statusline"
)

// maxStatus is more than the client writes to a status line.
const maxStatus = 1 << 20

// runWrapped keeps what the client reports, and runs the user's own status line with the
// same input. Its output and its exit code are what the client gets; that nothing could
// be kept is not its business.
func runWrapped(ctx context.Context, sh *shell.Shell, command string) error {
	input := readInput(sh.Stdin, stdinTimes*cmp.Or(sh.Patience, time.Minute))
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		keepStatus(sh, statusline.Parse(input))
	}()
	argv := shellWords(command)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), sh.Lend(), sh.LendErrors()
	err := cmd.Run()
	select {
	case <-kept:
	case <-time.After(sh.Patience): // a file system that hangs must not hang the client
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return fail.Exit(exit.ExitCode())
	}
	return err
}

// readInput reads what the client wrote. A writer that never ends is not waited for.
func readInput(r io.Reader, patience time.Duration) []byte {
	got := make(chan []byte, 1)
	go func() {
		data, _ := io.ReadAll(io.LimitReader(r, maxStatus)) // what came is passed on
		got <- data
	}()
	select {
	case data := <-got:
		return data
	case <-time.After(patience):
		return nil
	}
}

// shellWords runs a command as the client does: in a POSIX shell, if there is one.
func shellWords(command string) []string {
	if _, err := exec.LookPath("sh"); err != nil && runtime.GOOS == "windows" {
		return []string{"cmd", "/c", command}
	}
	return []string{"sh", "-c", command}
}
