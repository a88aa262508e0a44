package cli

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"
	"sesskeep/internal/term"

	"github.com/creack/pty"
)

const ttyWidth, ttyHeight = 80, 24

// runOnTTY runs a command line on a terminal and gives all it was sent.
func runOnTTY(t *testing.T, home string, vars map[string]string, args ...string) string {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal:", err)
	}
	defer master.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: ttyHeight, Cols: ttyWidth}); err != nil {
		t.Fatal(err)
	}
	got := make(chan []byte, 1)
	go func() {
		// Reading ends with an error when the other side is closed.
		data, _ := io.ReadAll(master)
		got <- data
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer tty.Close()
		Main(append([]string{"--claude-dir", home, "--no-pager", "-q"}, args...), shell.Env{
			Stdin: tty, Stdout: tty, Stderr: tty, Dir: "/", Home: home + "-user",
			Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
			Now:    func() time.Time { return testNow },
		})
	}()
	select {
	case <-done:
	case <-time.After(slow):
		t.Fatalf("%q: still running after %v", args, slow)
	}
	return string(<-got)
}

var colour = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// TestHostileTerminal looks at what really reaches a terminal: of all control
// functions only colours, and at the end of every line they are off.
func TestHostileTerminal(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads megabytes again and again")
	}
	home := hostileHome(t)
	commands := [][]string{
		{"ls", "--source", "all"}, {"ls", "--source", "all", "--jq", ".sessions[].title"}, {"ls", "--source", "all", "--json"},
		{"project", "ls"}, {"doctor"}, {"storage"}, {"history"}, {"command", "ls"},
		{"show", storetest.Escapes}, {"show", storetest.Escapes, "--json"},
	}
	for _, id := range hostileSessions(t, home) {
		commands = append(commands, []string{"show", id}, []string{"show", id, "--json", "--last", "1"},
			[]string{"session", "tree", id}, []string{"session", "files", id, "--patch"})
	}
	vars := map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}
	for _, args := range commands {
		out := runOnTTY(t, home, vars, args...)
		checkTTY(t, args, out)
	}
}

func checkTTY(t *testing.T, args []string, out string) {
	t.Helper()
	plain := colour.ReplaceAllString(strings.ReplaceAll(out, "\r\n", "\n"), "")
	if !utf8.ValidString(plain) {
		t.Errorf("%q: output is not UTF-8", args)
	}
	if at := strings.IndexFunc(plain, obeyed); at >= 0 {
		t.Errorf("%q: %q gets through: %.120q", args, []rune(plain[at:])[0], plain[max(0, at-40):])
	}
	if strings.Contains(plain, storetest.Secret) {
		t.Errorf("%q: a secret gets out", args)
	}
	for line := range strings.Lines(out) {
		if codes := colour.FindAllString(line, -1); len(codes) > 0 && codes[len(codes)-1] != "\x1b[0m" {
			t.Errorf("%q: a line ends in colour: %.200q", args, line)
		}
	}
	if args[0] == "ls" && len(args) == 3 || args[0] == "project" {
		for line := range strings.Lines(plain) {
			if n := term.Width(strings.TrimSuffix(line, "\n")); n > ttyWidth {
				t.Errorf("%q: line of %d cells: %q", args, n, line)
			}
		}
	}
}

// TestRawNeedsPipe shows that the bytes of a file do not reach a terminal.
func TestRawNeedsPipe(t *testing.T) {
	home := storetest.Home(t, `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","parentUuid":null,"cwd":"/w","message":{"role":"user","content":"hi"}}
`)
	out := runOnTTY(t, home, nil, "show", "1111", "--raw")
	if !strings.Contains(out, "--raw writes bytes a terminal might obey") || strings.Contains(out, "parentUuid") {
		t.Errorf("got %q", out)
	}
	data, err := os.ReadFile(home + "/projects/-w/11111111-0000-4000-8000-000000000000.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if got := runOver(t, home, "show", "1111", "--raw").stdout; !bytes.Equal([]byte(got), data) {
		t.Errorf("in a pipe: got %q, want %q", got, data)
	}
}
