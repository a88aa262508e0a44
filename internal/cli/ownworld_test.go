package cli

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/cli/shell"
	"sesskeep/internal/storetest"
)

// ownWorld is a home with two sessions and our own directories, for tests of what
// happens to those.
type ownWorld struct {
	t          *testing.T
	home, data string
	dir        string
	now        time.Time
}

const ownHome = `
-- projects/-w/11111111-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","parentUuid":null,"cwd":"/w","sessionId":"11111111-0000-4000-8000-000000000000","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"one"}}
-- projects/-w/11111111-0000-4000-8000-000000000000/subagents/agent-a1.jsonl --
{"type":"user","uuid":"x","parentUuid":null,"isSidechain":true,"agentId":"a1","cwd":"/w","sessionId":"11111111-0000-4000-8000-000000000000","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"go"}}
-- projects/-w/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"b","parentUuid":null,"cwd":"/w","sessionId":"22222222-0000-4000-8000-000000000000","timestamp":"2026-11-01T11:00:00.000Z","message":{"role":"user","content":"two"}}
`

func newOwnWorld(t *testing.T) *ownWorld {
	t.Helper()
	w := &ownWorld{t: t, dir: t.TempDir(), now: testNow}
	w.home, w.data = filepath.Join(w.dir, "home", ".claude"), filepath.Join(w.dir, "data", "sesskeep")
	must(t, storetest.Write(w.home, []byte(ownHome)))
	old := testNow.Add(-24 * time.Hour)
	must(t, filepath.WalkDir(w.home, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	}))
	return w
}

func (w *ownWorld) env(stdout, stderr io.Writer) shell.Env {
	vars := map[string]string{
		"XDG_DATA_HOME": filepath.Dir(w.data), "XDG_CACHE_HOME": filepath.Join(w.dir, "cache"), "XDG_STATE_HOME": filepath.Join(w.dir, "state"),
		"CLAUDE_CONFIG_DIR": w.home,
	}
	return shell.Env{
		Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr, Dir: w.dir, Home: filepath.Dir(w.home),
		Lookup:  func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
		Now:     func() time.Time { return w.now },
		Program: func() (string, error) { return "/opt/sesskeep", nil },
	}
}

// try runs a command, whatever its exit code.
func (w *ownWorld) try(args ...string) (stdout, stderr string) {
	var out, errs bytes.Buffer
	Main(args, w.env(&out, &errs))
	return out.String(), errs.String()
}

// run runs a command and asserts its exit code.
func (w *ownWorld) run(want int, args ...string) (stdout, stderr string) {
	w.t.Helper()
	var out, errs bytes.Buffer
	if got := Main(args, w.env(&out, &errs)); got != want {
		w.t.Fatalf("%q: exit code %d, want %d: %s%s", args, got, want, &out, &errs)
	}
	return out.String(), errs.String()
}

// stores are the files of our own that hold what cannot be made again, and those of
// the home, each with its hash.
func (w *ownWorld) stores() map[string]string {
	w.t.Helper()
	found := map[string]string{}
	for _, dir := range []string{w.data, w.home} {
		must(w.t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasSuffix(path, ".lock") {
				return err
			}
			text, err := os.ReadFile(path)
			found[path] = fmt.Sprintf("%x", sha256.Sum256(text))
			return err
		}))
	}
	return found
}
