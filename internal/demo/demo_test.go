package demo_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/demo"
)

var now = time.Date(2026, 11, 15, 9, 30, 0, 0, time.UTC)

func write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	if err := demo.Write(dir, now); err != nil {
		t.Fatal(err)
	}
	return dir
}

// walk calls f for everything below dir.
func walk(t *testing.T, dir string, f func(name string, info fs.FileInfo)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		f(filepath.ToSlash(name), info)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// listing describes a home: names, modes, times and bytes.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	walk(t, dir, func(name string, info fs.FileInfo) {
		if name == "." {
			return // the one time we do not set
		}
		fmt.Fprintf(&b, "%s %v %v", name, info.Mode(), info.ModTime().UTC())
		if info.Mode().IsRegular() {
			fmt.Fprintf(&b, " %x", readFile(t, dir, name))
		}
		b.WriteByte('\n')
	})
	return b.String()
}

func TestSameNowGivesTheSameHome(t *testing.T) {
	if a, b := listing(t, write(t)), listing(t, write(t)); a != b {
		t.Error("two homes of the same time differ")
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes here")
	}
	walk(t, write(t), func(name string, info fs.FileInfo) {
		want := fs.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %v, want %v", name, got, want)
		}
	})
}

func TestReplacesADemoHome(t *testing.T) {
	dir := write(t)
	stray := filepath.Join(dir, "projects", "stray.txt")
	if err := os.WriteFile(stray, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := demo.Write(dir, now); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stray); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file of the old home is still there")
	}
	beside, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(beside) != 1 {
		t.Errorf("beside the home lies %v", beside)
	}
}

func TestFillsAnEmptyDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := demo.Write(dir, now); err != nil {
		t.Fatal(err)
	}
	readFile(t, dir, "history.jsonl")
}

func TestRefusesWhatIsNotADemoHome(t *testing.T) {
	for _, name := range []string{"history.jsonl", ".sesskeep-demo", "notes/a.txt"} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := demo.Write(dir, now); !errors.Is(err, demo.ErrNotDemo) {
			t.Errorf("with %s: %v, want ErrNotDemo", name, err)
		}
		if got := string(readFile(t, path)); got != "mine" {
			t.Errorf("%s was changed to %q", name, got)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := demo.Write(file, now); err == nil {
		t.Error("a file was replaced")
	}
}

// TestLines checks what must be true of every line, whoever reads it.
func TestLines(t *testing.T) {
	dir := write(t)
	walk(t, dir, func(name string, info fs.FileInfo) {
		if !strings.HasSuffix(name, ".jsonl") {
			return
		}
		data := readFile(t, dir, name)
		if bytes.IndexByte(data, 0) >= 0 {
			return // the damaged one
		}
		checkLines(t, name, data, info.ModTime())
	})
}

func checkLines(t *testing.T, name string, data []byte, modified time.Time) {
	t.Helper()
	seen := map[string]bool{}
	var last time.Time
	for i, text := range bytes.SplitAfter(data, []byte("\n")) {
		if len(text) == 0 {
			continue
		}
		var line struct {
			UUID       string `json:"uuid"`
			ParentUUID string `json:"parentUuid"`
			Cwd        string `json:"cwd"`
			Timestamp  any    `json:"timestamp"` // a number in the history
		}
		if err := json.Unmarshal(text, &line); err != nil || text[len(text)-1] != '\n' {
			t.Errorf("%s:%d: %v, or no newline", name, i+1, err)
		}
		if line.ParentUUID != "" && !seen[line.ParentUUID] {
			t.Errorf("%s:%d: parent %s does not come before", name, i+1, line.ParentUUID)
		}
		seen[line.UUID] = true
		if line.Cwd != "" && !strings.HasPrefix(line.Cwd, "/home/ada/") {
			t.Errorf("%s:%d: cwd %s", name, i+1, line.Cwd)
		}
		stamp, _ := line.Timestamp.(string)
		if at, err := time.Parse(time.RFC3339, stamp); err == nil {
			if at.After(now) {
				t.Errorf("%s:%d is in the future: %s", name, i+1, stamp)
			}
			if line.UUID != "" {
				last = at
			}
		}
	}
	if strings.HasPrefix(name, "projects/") && len(data) > 0 && !modified.Equal(last) {
		t.Errorf("%s was modified %v, its last line is of %v", name, modified, last)
	}
}

// TestPatches applies the diffs that edits left behind.
func TestPatches(t *testing.T) {
	dir := write(t)
	patches := 0
	walk(t, dir, func(name string, info fs.FileInfo) {
		if !strings.HasSuffix(name, ".jsonl") || info.IsDir() {
			return
		}
		for line := range bytes.Lines(readFile(t, dir, name)) {
			var w struct{ ToolUseResult editResult }
			if json.Unmarshal(line, &w) != nil || len(w.ToolUseResult.StructuredPatch) == 0 {
				continue // no edit: a result of another form, or none
			}
			patches++
			r := w.ToolUseResult
			want := strings.Replace(r.OriginalFile, r.OldString, r.NewString, 1)
			if got := r.apply(); got != want {
				t.Errorf("%s: the patch of %s gives\n%s\nwant\n%s", name, r.FilePath, got, want)
			}
		}
	})
	if patches == 0 {
		t.Error("no edits")
	}
}

type editResult struct {
	FilePath, OldString, NewString, OriginalFile string

	StructuredPatch []struct {
		OldStart, OldLines, NewStart, NewLines int
		Lines                                  []string
	}
}

// apply is the original file with the one hunk of the patch in its place.
func (r editResult) apply() string {
	h := r.StructuredPatch[0]
	lines := strings.Split(r.OriginalFile, "\n")
	var hunk []string
	for _, line := range h.Lines {
		if line[0] != '-' {
			hunk = append(hunk, line[1:])
		}
	}
	if len(hunk) != h.NewLines {
		return "a hunk of another length"
	}
	at := h.OldStart - 1
	return strings.Join(slices.Concat(lines[:at], hunk, lines[at+h.OldLines:]), "\n")
}
