package holder

import (
	"errors"
	"os/exec"
	"syscall"

	"sesskeep/internal/launch"
)

// process is a child. Windows has no process groups that a signal reaches, so only
// the client itself is ended.
type process struct{ cmd *exec.Cmd }

func startProcess(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	return &process{cmd}, cmd.Start()
}

func (p *process) wait() launch.Exit {
	var failed *exec.ExitError
	if err := p.cmd.Wait(); errors.As(err, &failed) {
		return launch.Exit{Code: failed.ExitCode()}
	}
	return launch.Exit{}
}

func (p *process) terminate() error { return p.cmd.Process.Kill() }
func (p *process) kill() error      { return p.cmd.Process.Kill() }

// detachedProcess has no console, so closing ours does not end it.
const detachedProcess = 0x8

func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP}
}
