package claudehome_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sesskeep/claudehome"
)

var storageHome = strings.NewReplacer("{A}", sessionA, "{GONE}", goneSession).Replace(`
-- projects/-w/{A}.jsonl --
1234567
-- projects/-w/{A}/subagents/agent-a1.jsonl --
12
-- projects/-w/{A}/subagents/workflows/wf/journal.jsonl --
1
-- projects/-w/{A}/tool-results/x.txt --
123
-- projects/-w/{A}/custom-title.json --
{}
-- projects/-w/agent-64bdad98.jsonl --
1234
-- projects/-w/memory/MEMORY.md --
m
-- projects/-w/{GONE}/subagents/agent-a2.jsonl --
12345
-- projects/-v/sessions-index.json --
{}
-- file-history/{A}/00@v1 --
f
-- file-history/{GONE}/00@v1 --
f
-- todos/{GONE}-agent-{GONE}.json --
[]
-- tasks/team/1.json --
{}
-- session-env/{A}/env.sh --
hush
-- shell-snapshots/snapshot-1.sh --
hush
-- .credentials.json --
hush
-- sessions/1.json --
{}
-- sessions/1.ff.key --
hush
-- history.jsonl --
{}
-- settings.json --
{}
-- agents/x.md --
x
-- strange/x --
x
`)

func TestStorage(t *testing.T) {
	s := openHome(t, storageHome)
	st, err := claudehome.MeasureStorage(s, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, k := range st.ByKind {
		kinds[k.Name] = fmt.Sprint(k.Files, " ", k.Bytes)
	}
	for kind, want := range map[string]string{
		"transcripts": "1 8", "agents": "4 16", "tool-results": "1 4", "session-files": "1 3", "memory": "1 2",
		"file-history": "2 4", "todos": "1 3", "tasks": "1 3", "session-env": "1 5", "shell-snapshots": "1 5",
		"secret": "2 10", "registry": "1 3", "history": "1 3", "settings": "1 3", "commands": "1 2", "other": "2 5",
	} {
		if kinds[kind] != want {
			t.Errorf("%s: files and bytes %q, want %q", kind, kinds[kind], want)
		}
		delete(kinds, kind)
	}
	if len(kinds) != 0 {
		t.Errorf("kinds nobody asked for: %v", kinds)
	}
	if st.Orphaned.Files != 3 || st.Orphaned.Bytes != 6+2+3 {
		t.Errorf("orphaned %+v", st.Orphaned)
	}
	for _, i := range st.Items {
		if i.Orphan != (i.Session == goneSession) {
			t.Errorf("orphan? %+v", i)
		}
	}
	var projects []string
	for _, p := range st.ByProject {
		projects = append(projects, fmt.Sprint(p.Name, ":", p.Files))
	}
	if want := "-w:10 -v:1"; strings.Join(projects, " ") != want {
		t.Errorf("projects %q, want %q", projects, want)
	}
	if strings.Contains(fmt.Sprintf("%+v", st), "credentials") {
		t.Error("a secret is named")
	}
}

func TestStorageByAge(t *testing.T) {
	s := openHome(t, "-- a --\n1\n-- b --\n1\n-- c --\n1\n-- d --\n1\n-- e --\n1\n-- f --\n1\n")
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for name, days := range map[string]int{"a": -1, "b": 1, "c": 2, "d": 30, "e": 90, "f": 91} {
		at := now.AddDate(0, 0, -days)
		if err := os.Chtimes(s.Path(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	st, err := claudehome.MeasureStorage(s, now)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range st.ByAge {
		got = append(got, fmt.Sprint(a.Days, ":", a.Files))
	}
	if want := "1:2 7:1 30:1 90:1 0:1"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !st.Total.Newest.Equal(now.AddDate(0, 0, 1)) || !st.Total.Oldest.Equal(now.AddDate(0, 0, -91)) {
		t.Errorf("total %+v", st.Total)
	}
}

func TestStorageLinks(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, sessionB+".jsonl"), []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := openHome(t, "-- projects/-w/"+sessionA+".jsonl --\n1\n-- plugins/.keep --\n").Root()
	for name, target := range map[string]string{
		"projects/-linked": outside,
		"projects/-again":  "-w",
		"plugins/loop":     "..",
		"plugins/away":     outside,
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	st, err := claudehome.MeasureStorage(openDir(t, dir), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range st.ByKind {
		if k.Name == "transcripts" && (k.Files != 2 || k.Bytes != 7) || k.Name == "plugins" && k.Files != 2 {
			t.Errorf("%+v", k)
		}
	}
	if len(st.Problems) != 0 {
		t.Errorf("problems %v", st.Problems)
	}
}

func TestStorageGone(t *testing.T) {
	s := openHome(t, "-- a --\n")
	if err := os.RemoveAll(s.Root()); err != nil {
		t.Skip("an open directory cannot be removed here:", err)
	}
	if st, err := claudehome.MeasureStorage(s, time.Now()); err == nil && st.Total.Files != 0 {
		t.Errorf("got %+v", st)
	}
}

// The walk must find what a plain walk finds, to the byte.
func TestRealStorage(t *testing.T) {
	for name, s := range realHomes(t, "*/.claude") {
		st, err := claudehome.MeasureStorage(s, time.Now())
		if err != nil || len(st.Problems) != 0 {
			t.Errorf("%s: problems %v, error %v", name, st.Problems, err)
		}
		var files int
		var bytes int64
		err = filepath.WalkDir(s.Root(), func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				files, bytes = files+1, bytes+info.Size()
			}
			return err
		})
		if err != nil || st.Total.Files != files || st.Total.Bytes != bytes {
			t.Errorf("%s: %d files of %d bytes, want %d of %d (%v)", name, st.Total.Files, st.Total.Bytes, files, bytes, err)
		}
		var parts claudehome.Amount
		for _, i := range st.Items {
			parts.Files, parts.Bytes = parts.Files+i.Files, parts.Bytes+i.Bytes
			if i.Kind == "other" && i.Bytes > 10_000 {
				t.Errorf("%s: unknown files: %+v", name, i)
			}
		}
		if parts.Files != files || parts.Bytes != bytes {
			t.Errorf("%s: items sum up to %+v", name, parts)
		}
	}
}
