package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/backup"
	"sesskeep/internal/storetest"
)

// files reads everything below a directory, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBackupKilled kills a backup at random instants, while sessions grow: 12, or 50 with
// SESSKEEP_CRASH. Each time the last one that was finished is whole: it has what was there when it
// was made. TestInterrupted of internal/backup stops at every call.
func TestBackupKilled(t *testing.T) {
	t.Parallel()
	rounds := 12
	switch {
	case testing.Short():
		t.Skip("kills 12 processes")
	case os.Getenv("SESSKEEP_CRASH") != "":
		rounds = 50
	}
	h := newHousehold(t)
	rnd := rand.New(rand.NewPCG(storetest.Seed(t), 1))
	folder := filepath.Join(h.dir, ".claude", "projects", "-w")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(folder, 0o700))
	grow := func(n, bytes int) {
		f, err := os.OpenFile(filepath.Join(folder, fmt.Sprintf("%08d-0000-4000-8000-000000000001.jsonl", n)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		must(err)
		for ; bytes > 0; bytes -= 2000 {
			text := make([]byte, 1500)
			for i := range text {
				text[i] = byte('a' + rnd.IntN(26))
			}
			_, err := fmt.Fprintf(f, `{"type":"user","uuid":"%x","message":{"role":"user","content":"%s"}}`+"\n", rnd.Uint64(), text)
			must(err)
		}
		must(f.Close())
	}
	for n := range 20 {
		grow(n, 200_000)
	}
	repo := filepath.Join(h.dir, "b")
	start := time.Now()
	h.sesskeep("backup", repo)
	took := time.Since(start)
	states := []map[string]string{files(t, filepath.Join(h.dir, ".claude"))} // one is that of the last backup
	killed := 0
	for range rounds {
		for range 8 {
			grow(rnd.IntN(24), 40_000)
		}
		states = append(states, files(t, filepath.Join(h.dir, ".claude")))
		cmd := h.command("backup", repo)
		start := time.Now()
		must(cmd.Start())
		timer := time.AfterFunc(time.Duration(rnd.Int64N(int64(took)*3/2)), func() { _ = cmd.Process.Kill() })
		if cmd.Wait() != nil {
			killed++
		} else {
			took = time.Since(start)
		}
		timer.Stop()
		got := backedUp(t, repo)
		at := slices.IndexFunc(states, func(s map[string]string) bool { return maps.Equal(s, got) })
		if at < 0 {
			t.Fatalf("the last backup has %d files that never were there like this", len(got))
		}
		states = states[at:]
	}
	t.Logf("%d of %d were killed before they were finished", killed, rounds)
	if killed < rounds/5 {
		t.Errorf("only %d were killed", killed)
	}
	h.sesskeep("backup", repo)
	if got := backedUp(t, repo); !maps.Equal(states[len(states)-1], got) {
		t.Error("the backup after all this is not what is there")
	}
	h.sesskeep("backup", "verify", repo)
}

// backedUp reads the home in the newest backup, and checks that everything can be read.
func backedUp(t *testing.T, repo string) map[string]string {
	t.Helper()
	r, err := backup.Open(repo, backup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	v, err := r.Verify(context.Background(), nil)
	if err != nil || len(v.Flaws)+len(v.Lost) > 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	b, err := r.Load("")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range b.List {
		if strings.HasPrefix(f.Tree, "home/") {
			data, err := io.ReadAll(r.Open(f))
			if err != nil {
				t.Fatal(err)
			}
			all[f.Name] = string(data)
		}
	}
	return all
}

// TestBackupCorpus backs up all homes that real clients wrote as one, and restores them for
// another user: every file is there as it was, and where the paths are others only those
// differ.
func TestBackupCorpus(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("SESSKEEP_SHARED")
	homes, _ := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", ".claude"))
	if shared == "" || len(homes) < 2 {
		t.Skip("SESSKEEP_SHARED names no folder with homes of real clients")
	}
	h := newHousehold(t)
	var flags []string
	old := filepath.Join(h.dir, "old")
	for _, home := range homes {
		dir := filepath.Join(old, filepath.Base(filepath.Dir(home)))
		if err := os.CopyFS(dir, os.DirFS(home)); err != nil {
			t.Fatal(err)
		}
		flags = append(flags, "--claude-dir", dir)
	}
	repo := filepath.Join(h.dir, "b")
	h.sesskeep(append(flags, "backup", repo)...)
	h.env = append(h.env, "XDG_DATA_HOME="+filepath.Join(h.dir, "data2"))
	plain, moved := filepath.Join(h.dir, "plain"), filepath.Join(h.dir, "moved")
	for _, dir := range []string{plain, moved} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.sesskeep("backup", "restore", repo, "--map", old+"="+plain)
	h.sesskeep("backup", "restore", repo, "--map", old+"="+moved, "--map", "/home/someone=/srv/other")
	compared := 0
	moves := strings.NewReplacer(`"cwd":"/home/someone`, `"cwd":"/srv/other`, `"project":"/home/someone`, `"project":"/srv/other`)
	for _, home := range homes {
		name := filepath.Base(filepath.Dir(home))
		before, after, mapped := files(t, home), files(t, filepath.Join(plain, name)), files(t, filepath.Join(moved, name))
		for file, text := range before {
			if !strings.Contains(file, "/") && file != "history.jsonl" || homefs.Denied(file) || leftOut(file) {
				if _, ok := after[file]; ok {
					t.Errorf("%s: %s was restored", name, file)
				}
				continue
			}
			compared++
			if after[file] != text {
				t.Errorf("%s: %s is not what it was", name, file)
			}
			if strings.HasSuffix(file, ".jsonl") {
				text = moves.Replace(text)
			}
			to := file
			if parts := strings.SplitN(file, "/", 3); parts[0] == "projects" {
				to = path.Join("projects", movedDir(before, parts[1]), parts[2])
			}
			if strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(mapped[to]) != text {
				t.Errorf("%s: %s is not %s at its new path", name, to, file)
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d files were compared", compared)
	}
}

// movedDir is what a directory below projects/ is called after its project has moved.
func movedDir(files map[string]string, dir string) string {
	for name, text := range files {
		if !strings.HasPrefix(name, "projects/"+dir+"/") {
			continue
		}
		for _, found := range regexp.MustCompile(`"cwd":("[^"]*")`).FindAllStringSubmatch(text, -1) {
			var cwd string
			if json.Unmarshal([]byte(found[1]), &cwd) == nil && sesskeep.ProjectKey(dir).Holds(cwd) {
				return string(sesskeep.DirName(strings.Replace(cwd, "/home/someone", "/srv/other", 1)))
			}
		}
	}
	return strings.Replace(dir, "-home-someone", "-srv-other", 1)
}

// leftOut reports whether a directory of a home belongs to no session.
func leftOut(file string) bool {
	top, _, _ := strings.Cut(file, "/")
	return slices.Contains([]string{"backups", "plugins", "sessions", "cache", "shell-snapshots", "session-env", "statsig", "daemon", "local", "ide", "skills", "agents", "commands", "hooks"}, top)
}
