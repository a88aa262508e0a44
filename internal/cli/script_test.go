package cli

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/stores"
	"sesskeep/internal/storetest"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for sesskeep in the scripts.
func TestMain(m *testing.M) {
	testscript.Main(allTests{m}, map[string]func(){
		"sesskeep": func() {
			if os.Getenv("PLAIN_USER") != "" {
				storetest.Plain() // a script that takes rights away from files runs as root too
			}
			env := shell.System()
			env.Patience = time.Minute // what is shown does not depend on how busy the machine is
			if now, err := time.Parse(time.RFC3339, os.Getenv("NOW")); err == nil {
				env.Now = func() time.Time { return now.In(time.Local) }
			}
			os.Exit(Main(os.Args[1:], env))
		},
		"readfault": launchUnderFaults,
	})
}

// allTests are those of the package, and what is to do after them.
type allTests struct{ *testing.M }

func (a allTests) Run() int {
	defer storetest.RemoveFakeClaude()
	return a.M.Run()
}

// TestScripts runs every script: the proof of what users see, and its manual.
// A script's files are its home; the clock stands still.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			e.Setenv("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
			e.Setenv("NOW", "2026-11-15T12:00:00Z")
			e.Setenv("TZ", "UTC")
			e.Defer(func() { declared(t, e.WorkDir) })
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":    exits,
			"append":   appendFile,
			"bytes":    writeBytes,
			"subst":    subst,
			"alter":    alter,
			"hashtree": hashTree,
			"spawn":    spawn,
			"await":    await,
			"finish":   finish,
			"client":   client,
			"atend":    atEnd,
			"waitrun":  waitRun,
			"answer":   answerAll,
			"fakeclaude": func(ts *testscript.TestScript, _ bool, _ []string) {
				ts.Setenv("SESSKEEP_CLAUDE", storetest.FakeClaude(t))
				ts.Setenv("NOW", "") // a run has a clock of its own
			},
		},
	})
}

// declared fails where a script left a file in a directory of ours that package stores does
// not list.
func declared(t *testing.T, work string) {
	err := filepath.WalkDir(work, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil // what a script made unreadable, or what is gone meanwhile
		}
		above, name, ours := strings.Cut(filepath.ToSlash(path), "/sesskeep/")
		if ours && !isDeclared(above, name) {
			t.Errorf("%s: no row of stores.Table has %q: say what a backup and a purge do with it", strings.TrimPrefix(above, work), name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// isDeclared reports whether a file below a directory of ours has a row. A script may give
// a directory any name; then the row may be one of any directory.
func isDeclared(above, name string) bool {
	dirs := map[string]stores.Dir{".local/share": stores.Data, ".local/state": stores.State, ".cache": stores.Cache, ".config": stores.Config}
	for usual, dir := range dirs {
		if strings.HasSuffix(above, usual) {
			_, ok := stores.Find(dir, name)
			return ok
		}
	}
	for _, dir := range dirs {
		if _, ok := stores.Find(dir, name); ok {
			return true
		}
	}
	return false
}

// waitRun waits until a run is in a state: waitrun r7 'your turn'.
func waitRun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitrun RUN STATE")
	}
	for end := time.Now().Add(scriptPatience); time.Now().Before(end); {
		ts.Check(ts.Exec("sesskeep", "run", "show", args[0], "--jq", ".state"))
		if strings.TrimSpace(ts.ReadFile("stdout")) == args[1] {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("run %s never is %s", args[0], args[1])
}

// answerAll answers what waits: answer allow.
func answerAll(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answer allow|deny")
	}
	ts.Check(ts.Exec("sesskeep", "inbox", "ls", "--jq", `.prompts[] | .id + " " + .inputHash`))
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		id, hash, _ := strings.Cut(strings.TrimSpace(line), " ")
		words := []string{"inbox", args[0], id}
		if args[0] == "allow" {
			words = append(words, "--hash", hash)
		}
		ts.Check(ts.Exec("sesskeep", words...))
	}
}

// atEnd runs a command when the script is over, however it ends: atend COMMAND.
// What a script leaves running in the background is stopped so.
func atEnd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: atend COMMAND…")
	}
	ts.Defer(func() { _ = ts.Exec(args[0], args[1:]...) }) // which may have been done already
}

// exits runs a command and checks its exit code: exits 3 sesskeep show 9999.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		type coder interface{ ExitCode() int }
		c, ok := err.(coder)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = c.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// writeBytes writes a file from Go-quoted text, for bytes that a script cannot
// hold: bytes FILE "\x00…".
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE QUOTED")
	}
	text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// subst puts variables into files: a script cannot know the directory it runs
// in when it is written.
func subst(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: subst FILE…")
	}
	work, err := filepath.EvalSymlinks(ts.Getenv("WORK"))
	ts.Check(err)
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "$WORK", filepath.ToSlash(work))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

// alter changes a text in a file, which must have it: alter FILE OLD NEW.
func alter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: alter FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o600))
}

// hashTree writes down all there is to know about a directory, so that two
// moments can be compared: hashtree DIR FILE.
func hashTree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hashtree DIR FILE")
	}
	var b strings.Builder
	dir := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		var data []byte
		if e.Type().IsRegular() {
			if data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(&b, "%s %v %v %x\n", path, info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(data))
		return err
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o600))
}

// appendFile adds the content of one file to another: append TO FROM.
func appendFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append TO FROM")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = f.WriteString(ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(f.Close())
}
