//go:build unix

package tui_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/term"
	"sesskeep/internal/tui"

	"github.com/creack/pty"
	"go.uber.org/goleak"
)

// TestRunFollows runs the interface on a home that grows: what is written is on
// the screen, and when it ends nothing of it is left.
func TestRunFollows(t *testing.T) {
	a, dir := openApp(t)
	ours, theirs := openPty(t)
	out := &screenBytes{}
	go out.read(ours)
	idle := goleak.IgnoreCurrent()
	ended := make(chan error, 1)
	go func() {
		ended <- tui.Run(t.Context(), optionsOn(a, theirs))
	}()
	out.await(t, "Fix the flaky parser test on CI")
	out.await(t, "1 needs you")
	// What is sent are the cells that change: of the words of a sentence some may
	// be there already.
	fmt.Fprint(ours, "l")
	out.await(t, "4:17")
	appendTo(t, dir, "QUITE_NEW")
	out.await(t, "QUITE_NEW")
	fmt.Fprint(ours, "2\r")
	out.await(t, "msgs")
	appendTo(t, dir, "AND_SO_ON")
	out.await(t, "AND_SO_ON")
	fmt.Fprint(ours, "q")
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := a.Close(); err != nil { // with which its owner ends
		t.Error(err)
	}
	// Clocks that still ran end by themselves.
	err := goleak.Find(idle)
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); {
		err = goleak.Find(idle)
	}
	if err != nil {
		t.Error(err)
	}
}

// openApp opens the sample home, all of it read.
func openApp(t *testing.T) (a *app.App, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "demo")
	if err := demo.Write(dir, runNow); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(app.Options{Roots: []string{dir}, Alive: demo.Alive})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	if err := a.Index.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a, dir
}

var runNow = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func optionsOn(a *app.App, tty *os.File) tui.Options {
	return tui.Options{App: a, Stdin: tty, Stdout: tty, Screen: term.Screen{TTY: true},
		Now: func() time.Time { return runNow }, Env: []string{"TERM=xterm"},
		Scope: func(*catalog.Snapshot) (*ask.Project, error) { return nil, nil }}
}

// TestRunReturns goes on with a session and comes back: the client has the
// terminal as it was meanwhile, and the interface is where it was.
func TestRunReturns(t *testing.T) {
	a, _ := openApp(t)
	ours, theirs := openPty(t)
	out := &screenBytes{}
	go out.read(ours)
	o := optionsOn(a, theirs)
	o.Resume = func(next tui.Next) error {
		line := make([]byte, 100)
		fmt.Fprintf(theirs, "CLIENT HAS %s\r\n", next.Session.ID[:8])
		n, err := theirs.Read(line) // a line: the terminal waits for its end again
		fmt.Fprintf(theirs, "CLIENT READ %q\r\n", line[:n])
		if err != nil {
			return err
		}
		return errors.New("THE CLIENT FAILED")
	}
	ended := make(chan error, 1)
	go func() { ended <- tui.Run(t.Context(), o) }()
	out.await(t, "Fix the flaky parser test on CI")
	fmt.Fprint(ours, "Gc")
	out.await(t, "y    resume it all the same") // its directory is not there
	fmt.Fprint(ours, "y")
	out.await(t, "CLIENT HAS ")
	fmt.Fprint(ours, "q?\n")
	out.await(t, `CLIENT READ "q?\n"`)
	out.await(t, "THE CLIENT FAILED")
	out.forget()
	fmt.Fprint(ours, "?")
	out.await(t, "Everywhere")
	fmt.Fprint(ours, "q")
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// appendTo lets the session that works in the sample home say something.
func appendTo(t *testing.T, home, words string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "projects", "*", "39877941-*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got %q, %v", files, err)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, talkLine, words, "2026-11-15T12:00:00Z", words); err != nil {
		t.Fatal(err)
	}
}

func openPty(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, theirs, err := pty.Open()
	if err != nil {
		t.Skip("no terminal can be had: ", err)
	}
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	if err := pty.Setsize(theirs, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// screenBytes is what came to a terminal.
type screenBytes struct {
	sync.Mutex
	seen strings.Builder
}

func (s *screenBytes) read(from *os.File) {
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		s.Lock()
		s.seen.Write(b[:n])
		s.Unlock()
	}
}

func (s *screenBytes) forget() {
	s.Lock()
	defer s.Unlock()
	s.seen.Reset()
}

func (s *screenBytes) await(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.Lock()
		ok := strings.Contains(s.seen.String(), text)
		s.Unlock()
		if ok {
			return
		}
	}
	t.Fatalf("%q never came: %q", text, s.seen.String())
}
