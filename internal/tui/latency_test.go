//go:build unix

package tui_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// manySessions is among how many sessions the one is that grows.
const manySessions = 10_000

// TestLatency measures the time from an append to the bytes on the terminal, in
// a conversation and on the live wall of a large home.
func TestLatency(t *testing.T) {
	if os.Getenv("SESSKEEP_LATENCY") == "" {
		t.Skip("SESSKEEP_LATENCY is not set")
	}
	home, file := largeHome(t)
	for _, test := range []struct{ name, key string }{{"conversation", "\r"}, {"wall", "l"}} {
		t.Run(test.name, func(t *testing.T) {
			x := newPty(t, home)
			x.await(t, "10,000 sessions", time.Minute)
			grow(t, file, "first", 0)
			x.await(t, "", 3*time.Second) // until all is quiet
			x.send(t, test.key)
			x.await(t, "", time.Second)
			var took []time.Duration
			for i := range 60 {
				mark := markOf(i)
				x.forget()
				began := time.Now()
				grow(t, file, mark, i)
				x.await(t, mark, 10*time.Second)
				if i >= 10 { // the first ones find the file unread
					took = append(took, time.Since(began))
				}
				time.Sleep(time.Duration(120+i%7*13) * time.Millisecond)
			}
			slices.Sort(took)
			p50, p99 := took[len(took)/2], took[len(took)*99/100]
			t.Logf("%d sessions, %d appends: p50 %v, p99 %v", manySessions, len(took), p50, p99)
			if p99 > 50*time.Millisecond {
				t.Errorf("p99 is %v, more than 50 ms", p99)
			}
		})
	}
}

// markOf is a text of which no cell is the same as in the one before: a terminal
// is only sent the cells that change.
func markOf(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ012345678"
	var b strings.Builder
	for j := range 12 {
		b.WriteByte(letters[(i*7+j*11)%len(letters)])
	}
	return b.String()
}

func grow(t *testing.T, file, text string, nth int) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, talkLine, fmt.Sprintf("%s-%d", text, nth), time.Now().UTC().Format(time.RFC3339Nano), text); err != nil {
		t.Fatal(err)
	}
}

const talkLine = `{"type":"user","uuid":%q,"parentUuid":null,"cwd":"/w","timestamp":%q,"message":{"role":"user","content":%q}}` + "\n"

// largeHome writes many small sessions, and gives the one that grows.
func largeHome(t *testing.T) (home, file string) {
	t.Helper()
	home = t.TempDir()
	old := time.Now().Add(-48 * time.Hour)
	for i := range manySessions {
		dir := filepath.Join(home, "projects", fmt.Sprintf("-w-%02d", i%100))
		if i < 100 {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		file = filepath.Join(dir, fmt.Sprintf("11111111-0000-4000-8000-%012d.jsonl", i))
		at := old.Add(time.Duration(i) * time.Second)
		text := fmt.Sprintf(talkLine, "a", at.UTC().Format(time.RFC3339), fmt.Sprintf("session %d", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return home, file
}

// ptyProgram is the program on a terminal whose bytes one sees.
type ptyProgram struct {
	tty  *os.File
	cmd  *exec.Cmd
	came chan []byte
	seen []byte
}

func newPty(t *testing.T, home string) *ptyProgram {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "--claude-dir", home)
	cmd.Env = []string{"SESSKEEP_TEST_PID=" + filepath.Join(dir, "pid"), "SESSKEEP_TEST_CLOCK=real", "HOME=" + dir, "TERM=xterm-256color", "LANG=C.UTF-8"}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		t.Fatal(err)
	}
	x := &ptyProgram{tty: tty, cmd: cmd, came: make(chan []byte, 1000)}
	go func() {
		defer close(x.came)
		for {
			b := make([]byte, 64<<10)
			n, err := tty.Read(b)
			if err != nil {
				return
			}
			x.came <- b[:n]
		}
	}()
	t.Cleanup(func() {
		x.send(t, "q")
		for range x.came {
		}
		_ = cmd.Wait()
		tty.Close()
		t.Logf("used %v of the processor", cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	})
	return x
}

func (x *ptyProgram) send(t *testing.T, keys string) {
	t.Helper()
	if _, err := x.tty.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

func (x *ptyProgram) forget() { x.seen = nil }

// await waits for a text. Without one it waits for the time to pass.
func (x *ptyProgram) await(t *testing.T, text string, patience time.Duration) {
	t.Helper()
	timeout := time.After(patience)
	for text == "" || !bytes.Contains(x.seen, []byte(text)) {
		select {
		case b, ok := <-x.came:
			if !ok {
				t.Fatalf("it ended while %q was waited for: %q", text, x.seen)
			}
			x.seen = append(x.seen, b...)
		case <-timeout:
			if text == "" {
				return
			}
			t.Fatalf("%q never came: %q", text, x.seen[max(0, len(x.seen)-4000):])
		}
	}
}
