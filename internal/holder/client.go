package holder

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"sesskeep/internal/launch"
)

// client is the client's process and its pipes.
type client struct {
	process        *process
	stdin          *os.File
	stdout, stderr *os.File

	mu     sync.Mutex
	queue  [][]byte
	closed bool
	more   chan struct{} // holds one if the queue changed
}

// startClient starts the client. Prompts go to its standard input, so its
// arguments contain no part of them.
func startClient(o *Order) (*client, error) {
	argv, err := o.Spec.Argv()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(o.Client, slices.Concat(o.ClientArgs, argv)...)
	cmd.Dir, cmd.Env = o.Spec.Dir, environ(os.Environ(), o.Env)
	var ours, theirs []*os.File
	done := func(files []*os.File) {
		for _, f := range files {
			_ = f.Close()
		}
	}
	for i := range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			done(slices.Concat(ours, theirs))
			return nil, err
		}
		if i == 0 {
			r, w = w, r
		}
		ours, theirs = append(ours, r), append(theirs, w)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	p, err := startProcess(cmd)
	done(theirs)
	if err != nil {
		done(ours)
		return nil, err
	}
	return &client{process: p, stdin: ours[0], stdout: ours[1], stderr: ours[2], more: make(chan struct{}, 1)}, nil
}

// environ returns env with the changes applied: NAME=VALUE sets a variable, NAME
// removes it.
func environ(env, changes []string) []string {
	env = launch.Environ(env)
	for _, change := range changes {
		name, _, set := strings.Cut(change, "=")
		env = slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if set {
			env = append(env, change)
		}
	}
	return env
}

// write queues data for the client's standard input. It does not wait: a client
// that reads nothing may be waiting for us to read its output.
func (c *client) write(data []byte) {
	c.mu.Lock()
	c.queue = append(c.queue, data)
	c.mu.Unlock()
	c.wake()
}

func (c *client) closeInput() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.wake()
}

func (c *client) wake() {
	select {
	case c.more <- struct{}{}:
	default:
	}
}

// feed writes the queue to the client until the input is closed or the client ends.
func (c *client) feed(ended <-chan struct{}) {
	defer c.stdin.Close()
	for {
		c.mu.Lock()
		queue, closed := c.queue, c.closed
		c.queue = nil
		c.mu.Unlock()
		for _, data := range queue {
			if _, err := c.stdin.Write(data); err != nil {
				return // it has closed its input, and ends
			}
		}
		if closed {
			return
		}
		select {
		case <-c.more:
		case <-ended:
			return
		}
	}
}

// drain is how long output is read after the client has ended: processes that it
// started can keep its pipes open.
const drain = time.Second

// wait reads the client's output until the client ends, and returns how it ended.
func (c *client) wait(handle func(line []byte)) launch.Exit {
	ended := make(chan struct{})
	var all sync.WaitGroup
	var said tail
	all.Go(func() { c.feed(ended) })
	all.Go(func() { readLines(c.stdout, handle) })
	all.Go(func() { _, _ = io.Copy(&said, c.stderr) })
	exit := c.process.wait()
	close(ended)
	late := time.Now().Add(drain)
	_ = errors.Join(c.stdout.SetReadDeadline(late), c.stderr.SetReadDeadline(late), c.stdin.SetWriteDeadline(late))
	all.Wait()
	_ = errors.Join(c.stdout.Close(), c.stderr.Close())
	exit.Stderr = string(said.bytes)
	return exit
}

// readLines calls give with every line, including a last one without a newline.
// A line longer than maxLine is cut.
func readLines(r io.Reader, give func(line []byte)) {
	in := bufio.NewReaderSize(r, 1<<16)
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if room := maxLine - len(line); len(part) > room {
			line = append(line, part[:room]...)
		} else {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if whole := bytes.TrimSuffix(line, []byte("\n")); len(bytes.TrimSpace(whole)) > 0 {
			give(slices.Clone(whole))
		}
		line = line[:0]
		if cap(line) > 1<<20 {
			line = nil
		}
		if err != nil {
			return
		}
	}
}

// tail is a writer that keeps the last tailLength bytes.
type tail struct{ bytes []byte }

const tailLength = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.bytes = append(t.bytes, p...)
	if over := len(t.bytes) - tailLength; over > 0 {
		t.bytes = append(t.bytes[:0], t.bytes[over:]...)
	}
	return len(p), nil
}
