//go:build unix

package tui_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/cli"
	"sesskeep/internal/cli/shell"
	"sesskeep/internal/term"
	"sesskeep/internal/tui"
)

// TestMain lets the test binary stand in for sesskeep inside a terminal.
func TestMain(m *testing.M) {
	if file := os.Getenv("SESSKEEP_TEST_PID"); file != "" {
		if err := os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
			panic(err)
		}
		os.Exit(program())
	}
	os.Exit(m.Run())
}

func program() int {
	env := shell.System()
	env.Program = nil // this is a test: as a holder or a stand-in it would run all tests again
	if os.Getenv("SESSKEEP_TEST_CLOCK") == "" {
		env.Now = func() time.Time { return time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC) }
	}
	if os.Getenv("SESSKEEP_TEST_BROKEN") == "" {
		return cli.Main(os.Args[1:], env)
	}
	a, err := app.Open(app.Options{Roots: []string{os.Getenv("HOME")}})
	if err == nil {
		err = tui.RunBroken(context.Background(), tui.Options{
			App: a, Stdin: os.Stdin, Stdout: os.Stdout, Env: os.Environ(), Screen: term.Screen{TTY: true}, Now: env.Now,
			Scope: func(*catalog.Snapshot) (*ask.Project, error) { return nil, nil },
		})
	}
	fmt.Fprintln(os.Stderr, "sesskeep:", err)
	return 1
}

// terminal is a real terminal: a tmux server of our own with one shell in it.
type terminal struct {
	t      *testing.T
	socket string
	dir    string
}

func newTerminal(t *testing.T, width, height int) *terminal {
	t.Helper()
	t.Parallel()
	return openTerminal(t, width, height)
}

// openTerminal is newTerminal for tests that come one after the other.
func openTerminal(t *testing.T, width, height int) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	if testing.Short() {
		t.Skip("starts a terminal")
	}
	dir := t.TempDir()
	x := &terminal{t: t, socket: filepath.Join(dir, "s"), dir: dir}
	if len(x.socket) > 90 { // what a socket's name may have
		short, err := os.MkdirTemp("", "tui")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(short) })
		x.socket = filepath.Join(short, "s")
	}
	x.tmux("-f", os.DevNull, "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height),
		"env", "-i", "HOME="+dir, "PATH="+os.Getenv("PATH"), "TERM=screen", "LANG=C.UTF-8", "TZ=UTC", "PS1=$ ",
		"XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "HISTFILE="+os.DevNull, "GORACE=atexit_sleep_ms=0", "bash", "--norc", "--noprofile")
	t.Cleanup(x.close)
	return x
}

// close leaves the program, which puts its index in order, and then ends the
// terminal. What the shell says of the program does not tell its end: it also says
// something when one is suspended.
func (x *terminal) close() {
	tmux := func(args ...string) { exec.Command("tmux", append([]string{"-S", x.socket}, args...)...).Run() }
	tmux("send-keys", "C-c")
	ended := x.ended()
	tmux("kill-server")
	if !ended && !x.ended() {
		x.t.Error("the program does not end")
	}
}

// ended waits for the end of the program, and reports whether it came.
func (x *terminal) ended() bool {
	text, err := os.ReadFile(x.pidFile())
	if err != nil {
		return true // it was never started
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		x.t.Error(err)
		return true
	}
	for end := time.Now().Add(time.Minute); syscall.Kill(pid, 0) == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-u", "-S", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// keys presses keys, by the names tmux has for them.
func (x *terminal) keys(names ...string) {
	x.t.Helper()
	x.tmux(append([]string{"send-keys"}, names...)...)
}

// run starts the program in the shell.
func (x *terminal) run(args string, env ...string) {
	x.t.Helper()
	line := fmt.Sprintf("SESSKEEP_TEST_PID=%s %s %s %s; echo code=$?", x.pidFile(), strings.Join(env, " "), os.Args[0], args)
	x.keys(line, "Enter")
}

func (x *terminal) pidFile() string { return filepath.Join(x.dir, "pid") }

func (x *terminal) pid() int {
	x.t.Helper()
	text, err := os.ReadFile(x.pidFile())
	if err != nil {
		x.t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		x.t.Fatal(err)
	}
	return pid
}

// screen is what one sees.
func (x *terminal) screen() string {
	x.t.Helper()
	return x.tmux("capture-pane", "-p")
}

// inside reports whether the alternate screen is on.
func (x *terminal) inside() bool {
	x.t.Helper()
	return strings.TrimSpace(x.tmux("display-message", "-p", "#{alternate_on}")) == "1"
}

// await waits until something is so.
func (x *terminal) await(what string, ok func() bool) {
	x.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if ok() {
			return
		}
	}
	x.t.Fatalf("waited for %s in vain:\n%s", what, x.screen())
}

func (x *terminal) awaitText(text string) {
	x.t.Helper()
	x.await(strconv.Quote(text), func() bool { return strings.Contains(x.screen(), text) })
}

// stty is how the terminal is set.
func (x *terminal) stty(name string) string {
	x.t.Helper()
	file := filepath.Join(x.dir, name)
	x.keys("stty -a > "+file+".part; mv "+file+".part "+file, "Enter")
	var text []byte
	x.await("stty", func() (ok bool) {
		var err error
		text, err = os.ReadFile(file)
		return err == nil && len(text) > 0
	})
	return string(text)
}

// The short name of a project tells homes apart: it changes with every run.
var suffix = regexp.MustCompile(`\b(parser|shop-api|fix-ci|my-app|my\.app|notes)-[a-z2-7]{4}\b`)

// compare compares the screen with the one that was kept. Run it with
// SESSKEEP_UPDATE=1 to keep it anew, and read what changed.
func (x *terminal) compare(name string) {
	x.t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	look := func() string { return suffix.ReplaceAllString(x.screen(), "$1-xxxx") }
	if os.Getenv("SESSKEEP_UPDATE") != "" {
		time.Sleep(time.Second)
		if err := os.WriteFile(path, []byte(look()), 0o644); err != nil {
			x.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		x.t.Fatal(err)
	}
	x.await("the screen of "+path, func() bool { return look() == string(want) })
}

// firstRow is on the screen once the list is.
const firstRow = "Fix the flaky parser test on CI"

// TestTmuxScreens keeps what people see, one screen after the other.
func TestTmuxScreens(t *testing.T) {
	type viewer struct{ keys, golden string }
	for _, test := range []struct {
		name          string
		width, height int
		args, wait    string
		looks         []viewer
	}{
		{"80x24", 80, 24, "--demo", firstRow, []viewer{
			{"", "sessions-80x24"}, {"? Escape", "help-80x24"}, {": sh Escape", "palette-80x24"},
			{"1 2", "projects-80x24"}, {"/ par Escape", "filter-80x24"}, {"l Escape", "live-80x24"},
			{". Escape", "menu-80x24"}, {"f Escape", "facets-80x24"}, {"C 2", "copies-80x24"},
		}},
		{"120x40", 120, 40, "--demo", firstRow, []viewer{{"j", "sessions-120x40"}, {"l", "live-120x40"}}},
		{"200x60", 200, 60, "--demo", firstRow, []viewer{{"", "sessions-200x60"}, {"l", "live-200x60"}}},
		{"ascii", 120, 24, "--demo --ascii -p parser", firstRow, []viewer{{"j", "project-ascii-120x24"}}},
		{"nothing", 80, 24, "--claude-dir ~/empty", "No Claude", []viewer{{"", "nothing-80x24"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := newTerminal(t, test.width, test.height)
			if err := os.MkdirAll(filepath.Join(x.dir, "empty", "projects"), 0o700); err != nil {
				t.Fatal(err)
			}
			x.run(test.args)
			x.awaitText(test.wait)
			for _, l := range test.looks {
				x.snapshot(l.keys, l.golden)
			}
		})
	}
}

// snapshot presses keys and compares the screen; the last of several keys leads back.
func (x *terminal) snapshot(names, golden string) {
	x.t.Helper()
	list := strings.Fields(names)
	back := ""
	if n := len(list); n > 1 {
		list, back = list[:n-1], list[n-1]
	}
	for _, k := range list {
		x.keys(k)
	}
	x.compare(golden)
	if back != "" {
		x.keys(back)
		x.await("leaving "+golden, func() bool { return strings.Contains(x.screen(), " 1/22") })
	}
}

// TestTmuxResize shakes the window: what is seen in the end is what would have
// been seen from the start.
func TestTmuxResize(t *testing.T) {
	x := newTerminal(t, 80, 24)
	x.run("--demo")
	x.awaitText(firstRow)
	for i := range 40 {
		x.tmux("resize-window", "-x", strconv.Itoa(20+i*37%181), "-y", strconv.Itoa(3+i*13%58))
	}
	x.tmux("resize-window", "-x", "120", "-y", "40")
	x.keys("j")
	x.compare("sessions-120x40")
}

// running is how long something has been running.
var running = regexp.MustCompile(`running +\d+:\d\d`)

// TestTmuxLeftovers makes the window small and large again: nothing of a page
// stays on the next one.
func TestTmuxLeftovers(t *testing.T) {
	t.Parallel()
	look := func(x *terminal) string {
		// Two that are looked at one after the other need not show the same second.
		return running.ReplaceAllString(suffix.ReplaceAllString(x.screen(), "$1-xxxx"), "running m:ss")
	}
	open := func(x *terminal) {
		x.keys("Enter")
		x.awaitText("running")
	}
	// It is looked at again each time: its picture may still be under way.
	untouched := openTerminal(t, 80, 24)
	untouched.run("--demo")
	untouched.awaitText(firstRow)
	open(untouched)
	for _, sizes := range [][]string{{"40", "12"}, {"20", "5"}, {"79", "24"}} {
		t.Run(strings.Join(sizes, "x"), func(t *testing.T) {
			x := openTerminal(t, 80, 24)
			x.run("--demo")
			x.awaitText(firstRow)
			x.tmux("resize-window", "-x", sizes[0], "-y", sizes[1])
			x.awaitWidth(sizes[0])
			x.tmux("resize-window", "-x", "80", "-y", "24")
			x.awaitWidth("80")
			time.Sleep(400 * time.Millisecond) // until no frame of the resize is under way
			open(x)
			x.await("the conversation and nothing else", func() bool { return look(x) == look(untouched) })
		})
	}
}

// awaitWidth waits until the picture for a width is there: its foot begins with a
// line right across, with tabs or a remark in it or without.
func (x *terminal) awaitWidth(width string) {
	x.t.Helper()
	n, err := strconv.Atoi(width)
	if err != nil {
		x.t.Fatal(err)
	}
	x.await("a window of "+width, func() bool {
		lines := strings.Split(x.screen(), "\n")
		return slices.ContainsFunc(lines[1:], func(line string) bool {
			return (strings.HasPrefix(line, "──") || strings.HasPrefix(line, " 1 Projects ")) && strings.HasSuffix(line, "─") && term.Width(line) == n
		})
	})
}

// TestTmuxRestores leaves the interface in every way: the terminal is as it was.
func TestTmuxRestores(t *testing.T) {
	kill := func(s syscall.Signal) func(*terminal) {
		return func(x *terminal) {
			if err := syscall.Kill(x.pid(), s); err != nil {
				x.t.Fatal(err)
			}
		}
	}
	press := func(key string) func(*terminal) { return func(x *terminal) { x.keys(key) } }
	for _, test := range []struct {
		name  string
		leave func(*terminal)
		env   string
		want  string
	}{
		{"q", press("q"), "", "code=0"},
		{"ctrl-c", press("C-c"), "", "code=0"},
		{"term", kill(syscall.SIGTERM), "", "code=130"},
		{"hup", kill(syscall.SIGHUP), "", "code=130"},
		{"int", kill(syscall.SIGINT), "", "code=130"},
		{"panic", press("j"), "SESSKEEP_TEST_BROKEN=1", "sesskeep: fault in sesskeep at tui_export_test.go:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := newTerminal(t, 80, 24)
			before := x.stty("before")
			x.run("--demo --mouse", test.env)
			x.await("the interface", func() bool { return x.inside() && strings.Contains(x.screen(), "sesskeep ─") })
			test.leave(x)
			x.awaitText(test.want)
			if x.inside() {
				t.Error("the alternate screen is still on")
			}
			if after := x.stty("after"); after != before {
				t.Errorf("stty before:\n%s\nafter:\n%s", before, after)
			}
			if strings.Contains(x.screen(), "goroutine") {
				t.Errorf("a stack was printed:\n%s", x.screen())
			}
			if got := x.tmux("display-message", "-p", "#{cursor_flag} #{mouse_any_flag}"); got != "1 0\n" {
				t.Errorf("cursor and mouse: got %q, want the cursor and no mouse", got)
			}
		})
	}
}

// TestTmuxSuspend puts the interface away and takes it up again.
func TestTmuxSuspend(t *testing.T) {
	x := newTerminal(t, 80, 24)
	before := x.stty("before")
	x.run("--demo")
	x.awaitText(firstRow)
	x.keys("j", "C-z")
	x.await("the shell", func() bool { return !x.inside() })
	if got := x.stty("while"); got != before {
		t.Errorf("stty before:\n%s\nwhile suspended:\n%s", before, got)
	}
	x.keys("fg", "Enter")
	x.await("the interface", x.inside)
	x.awaitText("▸◆  Add idempotency")
	x.keys("j")
	x.awaitText(" 3/22")
	x.keys("q")
	x.await("the shell", func() bool { return !x.inside() })
}
