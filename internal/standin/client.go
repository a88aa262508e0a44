package standin

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sesskeep/internal/clientline"
	"sesskeep/internal/regular"
)

// client is one process of the client.
type client struct {
	chain clientline.Chain
	file  *os.File
	model string
	mode  string

	inbox   chan said
	closed  bool
	waiting []said // prompts

	interrupted bool
	replies     map[string]said // to what it asked
	cost        float64
	results     int
	began       time.Time
	o           *Options
}

func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// newClient reads the arguments, as strictly as the client does where we rely on
// it.
func newClient(o *Options) (*client, error) {
	args := o.Args
	c := &client{o: o, model: cmp.Or(o.Model, "claude-fake-1"), mode: "default", inbox: make(chan said, 100), replies: map[string]said{}, began: time.Now()}
	var session, resume string
	fork := false
	for i := 0; i < len(args); i++ {
		value := func() string {
			if i++; i < len(args) {
				return args[i]
			}
			return ""
		}
		switch arg := args[i]; arg {
		case "-p", "--verbose", "--include-partial-messages", "--replay-user-messages":
		case "--input-format", "--output-format", "--permission-prompt-tool", "--max-budget-usd":
			value()
		case "--session-id":
			session = value()
		case "--resume":
			resume = value()
		case "--fork-session":
			fork = true
		case "--model":
			c.model = value()
		case "--permission-mode":
			c.mode = value()
		default:
			return nil, fmt.Errorf("unknown option %q", arg)
		}
	}
	return c, c.open(session, resume, fork)
}

// maxTranscript is more than a stand-in writes.
const maxTranscript = 1 << 30

// open opens the transcript.
func (c *client) open(session, resume string, fork bool) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	home := c.o.Getenv("CLAUDE_CONFIG_DIR")
	if home == "" {
		home = filepath.Join(c.o.Getenv("HOME"), ".claude")
	}
	folder := filepath.Join(home, "projects", clientline.Folder(dir))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if other, _ := filepath.Glob(filepath.Join(home, "projects", "*", resume+".jsonl")); c.o.Anywhere && resume != "" && len(other) == 1 {
		folder = filepath.Dir(other[0])
	}
	path := func(id string) string { return filepath.Join(folder, id+".jsonl") }
	c.chain = clientline.Chain{Session: session, Cwd: dir, Entrypoint: "sdk-cli"}
	var before []byte
	switch {
	case resume != "":
		if before, err = regular.ReadFile(path(resume), maxTranscript); err != nil {
			return complaint("No conversation found with session ID: " + resume)
		}
		if !fork {
			c.chain.Session = resume
		} else if session == "" {
			c.chain.Session = uuid()
		}
	case session == "":
		c.chain.Session = uuid()
	default:
		if _, err := os.Stat(path(session)); err == nil {
			return complaint("Session ID " + session + " is already in use.")
		}
	}
	c.file, err = regular.OpenFile(path(c.chain.Session), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return c.continueFrom(before, fork)
}

// continueFrom appends to the lines that are there, which a fork copies.
func (c *client) continueFrom(before []byte, fork bool) error {
	for line := range strings.Lines(string(before)) {
		var e map[string]any
		if json.Unmarshal([]byte(line), &e) != nil {
			return errors.New("the transcript is damaged")
		}
		if id, ok := e["uuid"].(string); ok {
			c.chain.Parent = id
		}
		if fork {
			e["sessionId"] = c.chain.Session
			c.append(e)
		}
	}
	return nil
}

// append writes a line of the transcript.
func (c *client) append(v any) {
	if _, err := c.file.Write(append(clientline.Encode(v), '\n')); err != nil {
		fmt.Fprintln(c.o.Stderr, err)
		c.o.Exit(1)
	}
}

// say writes a line of output.
func (c *client) say(o clientline.Object) {
	o = append(o, "session_id", c.chain.Session)
	if !slices.Contains(o, any("uuid")) {
		o = append(o, "uuid", uuid())
	}
	if _, err := c.o.Stdout.Write(append(clientline.Encode(o), '\n')); err != nil {
		c.o.Exit(1)
	}
}

// run answers one prompt after the other until the input is closed.
func (c *client) run() int {
	failed := false
	for {
		for len(c.waiting) == 0 && !c.closed {
			c.receive(-1)
		}
		if len(c.waiting) == 0 {
			if failed {
				return 1
			}
			return 0
		}
		next := c.waiting[0]
		c.waiting = c.waiting[1:]
		failed = !c.turn(next)
	}
}

// receive handles one item of the input, if it comes in time; it waits for ever if the
// time is negative.
func (c *client) receive(wait time.Duration) {
	var late <-chan time.Time
	if wait >= 0 {
		late = time.After(wait)
	}
	select {
	case s, ok := <-c.inbox:
		if !ok {
			c.closed = true
			c.inbox = nil
			return
		}
		c.heed(s)
	case <-late:
	}
}

// pause waits, and takes what is said meanwhile.
func (c *client) pause(d time.Duration) {
	for end := time.Now().Add(d); !c.interrupted; {
		left := time.Until(end)
		if left <= 0 {
			return
		}
		c.receive(left)
	}
}

func (c *client) heed(s said) {
	switch s.Type {
	case "user":
		if s.UUID == "" {
			s.UUID = uuid()
		}
		c.lifecycle(s.UUID, "queued")
		c.append(c.chain.Queue("enqueue", time.Now(), text(s)))
		c.waiting = append(c.waiting, s)
	case "control_response":
		c.replies[s.Response.Request] = s
	case "control_request":
		c.control(s)
	}
}

// complaint is an error in the words of the real client.
type complaint string

func (c complaint) Error() string { return string(c) }

func (c *client) lifecycle(id, state string) {
	c.say(clientline.Object{"type", "command_lifecycle", "command_uuid", id, "state", state})
}

func (c *client) control(s said) {
	var reply clientline.Object
	switch s.Control.Subtype {
	case "initialize":
		reply = clientline.Object{"commands", []any{}, "output_style", "default"}
	case "interrupt":
		c.interrupted = true
		reply = clientline.Object{"still_queued", []any{}}
	case "set_model":
		c.model = s.Control.Model
		reply = clientline.Object{"model", c.model}
	case "set_permission_mode":
		c.mode = s.Control.Mode
		reply = clientline.Object{"mode", c.mode}
	default:
		c.say(clientline.Object{"type", "control_response", "response", clientline.Object{"subtype", "error", "request_id", s.Request,
			"error", "Unsupported control request subtype: " + s.Control.Subtype}})
		return
	}
	c.say(clientline.Object{"type", "control_response", "response", clientline.Object{"subtype", "success", "request_id", s.Request, "response", reply}})
	if s.Control.Subtype == "set_permission_mode" {
		c.say(clientline.Object{"type", "system", "subtype", "status", "status", nil, "permissionMode", c.mode})
	}
}

// text is that of a prompt.
func text(s said) string {
	var plain string
	if json.Unmarshal(s.Message.Content, &plain) == nil {
		return plain
	}
	var blocks []struct{ Text string }
	_ = json.Unmarshal(s.Message.Content, &blocks)
	for _, b := range blocks {
		plain += b.Text
	}
	return plain
}
