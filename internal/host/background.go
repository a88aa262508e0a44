package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"sesskeep/internal/regular"
)

// Background is a program that continues when we end.
type Background struct {
	PID int
	// Ended gets the error that the program ended with, nil for none, if that
	// happens while we still run.
	Ended <-chan error
}

// Start starts a program that continues when we end and when the terminal is
// closed. It writes the program's output to a new file.
func Start(argv []string, log string) (*Background, error) {
	if err := regular.MkdirAll(filepath.Dir(log), 0o700); err != nil {
		return nil, err
	}
	out, err := regular.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = out, out, filepath.Dir(log)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with it or with us
	return &Background{cmd.Process.Pid, ended}, nil
}
