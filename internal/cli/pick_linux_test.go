package cli

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"

	"github.com/creack/pty"
)

// session is a command that runs on a terminal, with somebody who types.
type session struct {
	t      *testing.T
	master *os.File
	ended  chan int

	lock sync.Mutex
	seen strings.Builder
}

func startOnTTY(t *testing.T, home string, vars map[string]string, args ...string) *session {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal:", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 30, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, master: master, ended: make(chan int, 1)}
	go s.read()
	go func() {
		defer tty.Close()
		s.ended <- Main(args, shell.Env{
			Stdin: tty, Stdout: tty, Stderr: tty, Dir: "/", Home: filepath.Dir(home),
			Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
			Now:    func() time.Time { return testNow },
		})
	}()
	return s
}

func (s *session) read() {
	b := make([]byte, 64<<10)
	for {
		n, err := s.master.Read(b)
		if err != nil {
			return
		}
		s.lock.Lock()
		s.seen.Write(b[:n])
		s.lock.Unlock()
	}
}

func (s *session) shown() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	return strings.ReplaceAll(s.seen.String(), "\r\n", "\n")
}

// await waits for a text, and then types something.
func (s *session) await(text, typed string) {
	s.t.Helper()
	for end := time.Now().Add(slow); !strings.Contains(s.shown(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%q never came: %q", text, s.shown())
		}
	}
	if _, err := s.master.WriteString(typed); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) code() int {
	s.t.Helper()
	select {
	case code := <-s.ended:
		return code
	case <-time.After(slow):
		s.t.Fatalf("still running: %q", s.shown())
		return -1
	}
}

// interrupt ends what runs as Ctrl-C does, and waits for it: the terminal of the
// test is nobody's own, so that the key alone is no signal.
func (s *session) interrupt() {
	s.t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		s.t.Fatal(err)
	}
	if code := s.code(); code != 130 {
		s.t.Errorf("interrupted, it ended with %d", code)
	}
}

var onXterm = map[string]string{"TERM": "xterm", "NO_COLOR": "1"}

// Without an address a session is picked from a list with a filter and a preview.
// The client has what is typed after that.
func TestResumePicks(t *testing.T) {
	home, dir, claude := resumeHome(t)
	t.Setenv("CLAUDECODE", "1")
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	vars := map[string]string{"TERM": "xterm", "NO_COLOR": "1", "SESSKEEP_CLAUDE": claude}
	s := startOnTTY(t, home, vars, "resume", "--all")
	s.await("resume which session?", "")
	s.await("Talk 1", "/talk 1")
	s.await(" 1/1", "\r")
	s.await("args: --resume 11111111-0000-4000-8000-000000000000", "hello\n")
	s.await("typed: hello", "")
	if code := s.code(); code != 3 || !inOrder(s.shown(), "dir: "+dir+"\ntyped: hello\n") {
		t.Errorf("exit code %d: %q", code, s.shown())
	}
	for _, leave := range []string{"q", "\x1b"} {
		s := startOnTTY(t, home, vars, "resume", "--all")
		s.await("Talk 1", leave)
		if code := s.code(); code != 130 || strings.Contains(s.shown(), "args:") {
			t.Errorf("%q: exit code %d: %q", leave, code, s.shown())
		}
	}
}

// A hit is picked as one types, and shown.
func TestSearchPicks(t *testing.T) {
	home, _, _ := resumeHome(t)
	s := startOnTTY(t, home, onXterm, "search", "--claude-dir", home)
	s.await("show which hit?", "talk 2")
	s.await("sessions · complete", "\x1b[B\r")
	s.await("\x1b[?1049l", "") // the interface is left
	if code := s.code(); code != 0 {
		t.Errorf("exit code %d: %q", code, s.shown())
	}
	if _, told, _ := strings.Cut(s.shown(), "\x1b[?1049l"); !strings.Contains(told, "Talk 2") {
		t.Errorf("shown: %q", told)
	}
}

// The session that was picked is watched from its last turn on; l watches all that
// run.
func TestWatchPicks(t *testing.T) {
	home, dir, _ := resumeHome(t)
	file := filepath.Join(home, "projects", "-w", "11111111-0000-4000-8000-000000000000.jsonl")
	add := func(line string) {
		t.Helper()
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	const answer = `{"type":"assistant","uuid":"b1","parentUuid":"a1","timestamp":"2026-11-14T01:00:05.000Z","message":{"id":"m1","role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"An old answer"}]}}`
	add(answer)
	add(`{"type":"user","uuid":"c1","parentUuid":"b1","cwd":"` + dir + `","timestamp":"2026-11-14T01:00:10.000Z","message":{"role":"user","content":"The last prompt"}}`)
	add(strings.NewReplacer("b1", "d1", "a1", "c1", "An old answer", "The last answer").Replace(answer))
	s := startOnTTY(t, home, onXterm, "watch", "--claude-dir", home)
	s.await("watch which session?", "")
	s.await("Talk 1", "/talk 1")
	s.await(" 1/1", "\r")
	s.await("watching 1 session", "")
	s.await("The last answer", "")
	add(strings.NewReplacer("b1", "e1", "a1", "d1", "An old answer", "Something new").Replace(answer))
	s.await("Something new", "")
	s.interrupt()
	_, told, _ := strings.Cut(s.shown(), "watching 1 session")
	if !inOrder(told, "The last prompt\nThe last answer\nSomething new") || strings.Contains(told, "An old answer") {
		t.Errorf("told %q", told)
	}

	s = startOnTTY(t, home, onXterm, "watch", "--claude-dir", home)
	s.await("l all that run", "l")
	s.await("no session runs; watching for those that begin", "")
	s.interrupt()
}
