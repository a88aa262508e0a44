//go:build unix

package holder

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"sesskeep/internal/launch"
)

// process is a child in a process group of its own.
type process struct {
	cmd    *exec.Cmd
	exited chan launch.Exit
}

// startProcess starts a child from a thread of its own, which also waits for it:
// where the system supports it, the kernel terminates the child when its holder is
// killed.
func startProcess(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = attributes()
	p := &process{cmd: cmd, exited: make(chan launch.Exit, 1)}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		p.exited <- p.reap()
	}()
	return p, <-started
}

// reap waits for the child. It kills what is left of the process group before the
// pid can be reused.
func (p *process) reap() launch.Exit {
	if awaitExit(p.cmd.Process.Pid) {
		_ = p.signal(syscall.SIGKILL) // fails if the group is empty
	}
	err := p.cmd.Wait()
	var failed *exec.ExitError
	if err == nil || !errors.As(err, &failed) {
		return launch.Exit{}
	}
	status, ok := failed.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return launch.Exit{Signal: status.Signal().String()}
	}
	return launch.Exit{Code: failed.ExitCode()}
}

func (p *process) wait() launch.Exit { return <-p.exited }

func (p *process) terminate() error { return p.signal(syscall.SIGTERM) }
func (p *process) kill() error      { return p.signal(syscall.SIGKILL) }

// signal sends a signal to the group of the child.
func (p *process) signal(s syscall.Signal) error {
	err := syscall.Kill(-p.cmd.Process.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// detach starts a holder in a session of its own.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
