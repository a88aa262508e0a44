package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"

	"github.com/creack/pty"
)

// resumeHome is a home with one session, and a client that tells how it was
// run.
func resumeHome(t *testing.T) (home, dir, claude string) {
	t.Helper()
	home, dir = filepath.Join(t.TempDir(), ".claude"), filepath.Join(t.TempDir(), "my app")
	claude = filepath.Join(t.TempDir(), "claude")
	line := `{"type":"user","uuid":"a%d","parentUuid":null,"cwd":%q,"timestamp":"2026-11-14T0%d:00:00.000Z","message":{"role":"user","content":"Talk %d"}}` + "\n"
	files := map[string]string{
		claude: "#!/bin/sh\necho \"args: $*\"\necho \"dir: $(pwd)\"\necho \"home: [$CLAUDE_CONFIG_DIR] nested: [$CLAUDECODE]\"\nread line\necho \"typed: $line\"\nexit 3\n",
		filepath.Join(home, "projects", "-w", "11111111-0000-4000-8000-000000000000.jsonl"): fmt.Sprintf(line, 1, dir, 1, 1),
		filepath.Join(home, "projects", "-w", "22222222-0000-4000-8000-000000000000.jsonl"): fmt.Sprintf(line, 2, dir, 2, 2),
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return home, dir, claude
}

// typeOnTTY runs a command line on a terminal where something is typed.
func typeOnTTY(t *testing.T, home, typed string, vars map[string]string, args ...string) (code int, shown string) {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal:", err)
	}
	defer master.Close()
	if _, err := io.WriteString(master, typed); err != nil {
		t.Fatal(err)
	}
	got := make(chan []byte, 1)
	go func() {
		data, _ := io.ReadAll(master) // ends with an error when the other side is closed
		got <- data
	}()
	done := make(chan int, 1)
	go func() {
		defer tty.Close()
		done <- Main(args, shell.Env{
			Stdin: tty, Stdout: tty, Stderr: tty, Dir: "/", Home: filepath.Dir(home),
			Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
			Now:    func() time.Time { return testNow },
		})
	}()
	select {
	case code = <-done:
	case <-time.After(slow):
		t.Fatalf("%q: still running after %v", args, slow)
	}
	return code, strings.ReplaceAll(string(<-got), "\r\n", "\n")
}

// On a terminal the client runs in the directory of the session, on our
// streams, and its exit code is ours.
func TestResumeRuns(t *testing.T) {
	home, dir, claude := resumeHome(t)
	t.Setenv("CLAUDECODE", "1")
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	vars := map[string]string{"TERM": "xterm", "SESSKEEP_CLAUDE": claude}
	for _, c := range []struct {
		name, typed string
		args        []string
		want        string
	}{
		{"address", "hello\n", []string{"resume", "1111"}, "args: --resume 11111111-0000-4000-8000-000000000000\ndir: " + dir + "\nhome: [] nested: []\ntyped: hello\n"},
		{"fork", "x\n", []string{"resume", "1111", "--fork"}, "args: --resume 11111111-0000-4000-8000-000000000000 --fork-session\n"},
	} {
		code, shown := typeOnTTY(t, home, c.typed, vars, c.args...)
		if code != 3 || !inOrder(shown, c.want) {
			t.Errorf("%s: exit code %d\n%s\nwant\n%s", c.name, code, shown, c.want)
		}
	}
}

// inOrder reports whether all lines are there in their order. What was typed
// shows up between them, whenever the terminal echoes it.
func inOrder(shown, lines string) bool {
	for line := range strings.Lines(lines) {
		_, rest, ok := strings.Cut(shown, line)
		if !ok {
			return false
		}
		shown = rest
	}
	return true
}

// Another home has to be named, and a program that is not there is missed.
func TestResumeElsewhere(t *testing.T) {
	usual, _, claude := resumeHome(t)
	home := filepath.Join(t.TempDir(), "claude")
	if err := os.CopyFS(home, os.DirFS(usual)); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"TERM": "xterm", "SESSKEEP_CLAUDE": claude, "CLAUDE_CONFIG_DIR": "/nowhere"}
	code, shown := typeOnTTY(t, home, "x\n", vars, "resume", "1111", "--claude-dir", home)
	if code != 3 || !strings.Contains(shown, "home: ["+home+"]") {
		t.Errorf("exit code %d\n%s", code, shown)
	}
	vars["SESSKEEP_CLAUDE"] = claude + "-none"
	code, shown = typeOnTTY(t, home, "x\n", vars, "resume", "1111", "--claude-dir", home)
	if code != 1 || !strings.Contains(shown, "cd -- '") || !strings.Contains(shown, "hint: install Claude Code, or name it with SESSKEEP_CLAUDE; the") {
		t.Errorf("exit code %d\n%s", code, shown)
	}
}

// A session that is open somewhere is not opened twice by mistake.
func TestResumeLive(t *testing.T) {
	home, _, claude := resumeHome(t)
	vars := map[string]string{"TERM": "xterm", "SESSKEEP_CLAUDE": claude}
	if err := os.Mkdir(filepath.Join(home, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	entry := fmt.Sprintf(`{"pid":%d,"sessionId":"11111111-0000-4000-8000-000000000000","status":"idle"}`, os.Getpid())
	if err := os.WriteFile(filepath.Join(home, "sessions", fmt.Sprintf("%d.json", os.Getpid())), []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int{
		"resume 1111": 5, "resume 1111 --print-command": 0, "resume 1111 --yes": 3, "resume 1111 --fork": 3, "resume 2222": 3,
	} {
		code, shown := typeOnTTY(t, home, "x\n", vars, strings.Fields(args)...)
		if code != want || want == 5 != strings.Contains(shown, "this needs your consent") {
			t.Errorf("%s: exit code %d, want %d\n%s", args, code, want, shown)
		}
	}
}
