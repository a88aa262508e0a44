package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// Pager is where a command writes what may be longer than the screen: the input
// of a pager program, or the output itself when there is none.
type Pager struct {
	to   *Exit
	pipe io.Closer     // nil without a program
	gone chan struct{} // closed when the program has ended; nil without one
	err  error         // of waiting for it; read after gone
	stop func() bool   // ends the watch on the context
}

// Page starts a pager for out when it is a terminal. The program is the first
// that is set of SESSKEEP_PAGER, PAGER and less -FRX; empty or cat means none, and
// lookup (os.LookupEnv) distinguishes that from unset. It is split at spaces and never
// passed to a shell. If it cannot be started, the output is not paged.
//
// When ctx ends, the pager gets the end of its input but lives on: Ctrl-C goes to
// both programs, and what is on the screen belongs to the reader until they quit.
func Page(ctx context.Context, out, stderr *Exit, lookup func(string) (string, bool)) *Pager {
	argv := pagerCommand(lookup)
	if len(argv) == 0 || !out.TTY() {
		return &Pager{to: out}
	}
	p, err := startPager(ctx, out.Raw(), stderr.Raw(), argv)
	if err != nil {
		return &Pager{to: out}
	}
	return p
}

// pagerCommand is the argv of the pager, nil for none.
func pagerCommand(lookup func(string) (string, bool)) []string {
	if v, _ := lookup("TERM"); v == "dumb" {
		return nil
	}
	command := "less -FRX"
	for _, name := range []string{"SESSKEEP_PAGER", "PAGER"} {
		if v, ok := lookup(name); ok {
			command = v
			break
		}
	}
	argv := strings.Fields(command)
	if len(argv) == 0 || argv[0] == "cat" {
		return nil
	}
	return argv
}

func startPager(ctx context.Context, out, stderr io.Writer, argv []string) (*Pager, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = out, stderr
	// Without it a key in less would start a shell, an editor or a preprocessor
	// on text that is not ours.
	cmd.Env = append(cmd.Environ(), "LESSSECURE=1")
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		pipe.Close()
		return nil, err
	}
	// Its input is a pipe, and what it does with that is to show it on a terminal.
	p := &Pager{to: &Exit{w: pipe, tty: true}, pipe: pipe, gone: make(chan struct{})}
	p.stop = context.AfterFunc(ctx, func() { pipe.Close() })
	go func() {
		defer close(p.gone)
		p.err = cmd.Wait()
	}()
	return p, nil
}

// Write accepts everything while the pager runs, and drops it without an error
// after the reader has quit.
func (p *Pager) Write(b []byte) (int, error) {
	n, err := p.to.Write(b)
	if p.pipe != nil && err != nil {
		return len(b), nil // a pipe fails in no other way than at its other end
	}
	return n, err
}

// Gone is closed when the reader has quit the pager, so that the caller can stop
// producing output. Without a pager it is never closed.
func (p *Pager) Gone() <-chan struct{} { return p.gone }

// Close waits until the reader has quit the pager. How the program exits is its
// own affair; it has said on its screen what was wrong.
func (p *Pager) Close() error {
	if p.pipe == nil {
		return nil
	}
	p.stop()
	_ = p.to.Flush()
	p.pipe.Close() // the wait may have closed it before
	<-p.gone
	var exit *exec.ExitError
	if p.err != nil && !errors.As(p.err, &exit) {
		return fmt.Errorf("wait for pager: %w", p.err)
	}
	return nil
}
