package index

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/internal/storetest"
)

// A stat check sees of every file what the store sees, and links are left to that.
func TestGlanceStamp(t *testing.T) {
	c, err := storetest.Make(filepath.Join(t.TempDir(), "home"), storetest.S, 5)
	must(t, err)
	store, err := sesskeep.Open(c.Dir)
	must(t, err)
	keys, err := store.ProjectKeys()
	must(t, err)
	prefix := "projects/" + string(keys[0]) + "/"
	dir := filepath.Join(c.Dir, filepath.FromSlash(prefix))
	if runtime.GOOS != "windows" { // where few may make links
		must(t, os.Symlink("elsewhere", filepath.Join(dir, "broken.jsonl")))
		must(t, os.WriteFile(filepath.Join(dir, "real"), []byte("x"), 0o600))
		must(t, os.Symlink("real", filepath.Join(dir, "link.jsonl")))
	}
	g := folderStamps{store: store, prefix: prefix, handle: openHandle(dir)}
	defer g.handle.close()
	seen := 0
	names := []string{"projects", prefix + "missing.jsonl", strings.TrimSuffix(prefix, "/")}
	must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.Dir, path)
		names = append(names, filepath.ToSlash(rel))
		return err
	}))
	for _, name := range names {
		want, there := store.Files().Stamp(name)
		if got, ok := g.stamp(name); got != want || ok != there {
			t.Errorf("%s: %+v, %v, the store says %+v, %v", name, got, ok, want, there)
		}
		if there {
			seen++
		}
	}
	if seen < 5 {
		t.Errorf("only %d names are there", seen)
	}
}

// A stat check names the files that look otherwise than listed, and no others; where
// something came or went it says that the folder is another.
func TestGlance(t *testing.T) {
	c, err := storetest.Make(filepath.Join(t.TempDir(), "home"), storetest.S, 5)
	must(t, err)
	old := time.Now().Add(-time.Hour)
	must(t, filepath.WalkDir(c.Dir, func(path string, _ fs.DirEntry, err error) error {
		must(t, err)
		return os.Chtimes(path, old, old)
	}))
	store, err := sesskeep.Open(c.Dir)
	must(t, err)
	keys, err := store.ProjectKeys()
	must(t, err)
	folder := store.Folder(keys[0])
	l := listingOf(store, &folder, time.Now())
	compared := func() knownFolder {
		f := knownFolder{dir: keys[0], raw: l.encode()}
		f.compare(store, false)
		return f
	}
	if f := compared(); !f.same || f.files != len(folder.Refs) || len(f.differ) > 0 || f.raw != nil {
		t.Fatalf("nothing happened: %+v, want %d files", f, len(folder.Refs))
	}
	name := folder.Refs[0].File
	path := filepath.Join(c.Dir, filepath.FromSlash(name))
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = file.WriteString("\n")
	must(t, err)
	must(t, file.Close())
	if f := compared(); !f.same || !slices.Equal(f.differ, []string{name}) || f.raw == nil {
		t.Errorf("a line was appended to %s: same %v, differ %v", name, f.same, f.differ)
	}
	for what, do := range map[string]func() error{
		"new":  func() error { return os.WriteFile(filepath.Join(filepath.Dir(path), "new.jsonl"), nil, 0o600) },
		"gone": func() error { return os.Remove(path) },
	} {
		must(t, os.Chtimes(filepath.Dir(path), old, old))
		must(t, do())
		if compared().same {
			t.Errorf("a file is %s, and the folder looks the same", what)
		}
	}
	damaged := knownFolder{dir: keys[0], raw: l.encode()[:20]}
	if damaged.compare(store, false); damaged.same {
		t.Error("half a listing is taken for one")
	}
}

// Who lists sessions sees what comes to be among their agents, wherever that is,
// and does not look for outputs; who searches sees those too.
func TestGlanceMute(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "projects", "-w")
	id := func(n int) string { return fmt.Sprintf("0000000%d-0000-4000-8000-000000000000", n) }
	both, none, runs := filepath.Join(dir, id(1)), filepath.Join(dir, id(2)), filepath.Join(dir, id(3), "subagents", "workflows", "tool-results")
	for _, d := range []string{filepath.Join(both, "subagents"), filepath.Join(both, "tool-results"), none, runs} {
		must(t, os.MkdirAll(d, 0o700))
	}
	for name, c := range map[string]struct {
		make       string
		rows, text bool // it is seen
	}{
		"nothing":               {"", false, false},
		"an output":             {filepath.Join(both, "tool-results", "o.txt"), false, true},
		"an agent":              {filepath.Join(both, "subagents", "agent-a1.jsonl"), true, true},
		"the first agents":      {filepath.Join(none, "subagents") + "/", true, true},
		"an agent of a run":     {filepath.Join(runs, "agent-a1.jsonl"), true, true},
		"the first output":      {filepath.Join(none, "tool-results") + "/", true, true},
		"a session":             {filepath.Join(dir, id(4)+".jsonl"), true, true},
		"what is no transcript": {filepath.Join(both, "notes"), false, true},
	} {
		old := time.Now().Add(-time.Hour)
		must(t, filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
			must(t, err)
			return os.Chtimes(path, old, old)
		}))
		store, err := sesskeep.Open(home)
		must(t, err)
		folder := store.Folder("-w")
		l := listingOf(store, &folder, time.Now())
		if path, isDir := strings.CutSuffix(c.make, "/"); isDir {
			must(t, os.Mkdir(path, 0o700))
		} else if path != "" {
			must(t, os.WriteFile(path, nil, 0o600))
		}
		for rowsOnly, want := range map[bool]bool{true: c.rows, false: c.text} {
			f := knownFolder{dir: "-w", raw: l.encode()}
			if f.compare(store, rowsOnly); f.same == want {
				t.Errorf("%s, rows only %v: it is seen: %v, want %v", name, rowsOnly, !f.same, want)
			}
		}
		if c.make != "" {
			must(t, os.RemoveAll(c.make))
		}
	}
}
