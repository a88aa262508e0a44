package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sesskeep/internal/access"
)

// Two paths have one dashed form, which is all that clients of cli-bridge can send. A list
// of sessions has those of both; what is asked of one project names both instead.
func TestProjectsOfOneDashedForm(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.home, "projects", "-srv-a-b")
	w.must(os.MkdirAll(dir, 0o700))
	for id, cwd := range map[string]string{"a0000000-0000-4000-8000-000000000001": "/srv/a/b", "a0000000-0000-4000-8000-000000000002": "/srv/a-b"} {
		line := `{"type":"user","uuid":"u-` + id + `","sessionId":"` + id + `","cwd":"` + cwd + `","timestamp":"2026-11-14T10:00:00Z","message":{"role":"user","content":"hello"}}` + "\n"
		w.must(os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(line), 0o600))
	}
	if n := get[Count](w, "/projects/-srv-a-b/sessions").Total; n != 2 {
		t.Errorf("%d sessions are listed, want 2", n)
	}
	for _, path := range []string{"/projects/-srv-a-b", "/projects/-srv-a-b/conversations"} {
		r := w.ask(access.Read, http.MethodGet, path, "")
		if r.status != http.StatusConflict || !strings.Contains(string(r.body), `"/srv/a/b"`) || !strings.Contains(string(r.body), `"/srv/a-b"`) {
			t.Errorf("GET %s: %d %s", path, r.status, clipped(r.body))
		}
	}
	var paths []string
	for _, p := range get[struct {
		Projects []struct {
			Path, DirName string
			SessionCount  int
		}
	}](w, "/projects").Projects {
		if paths = append(paths, p.Path); p.DirName == "-srv-a-b" && p.SessionCount != 2 {
			t.Errorf("%s counts %d sessions, and its list has 2", p.Path, p.SessionCount)
		}
	}
	if !slices.Contains(paths, "/srv/a/b") || !slices.Contains(paths, "/srv/a-b") {
		t.Errorf("projects are %v", paths)
	}
}

// A project of which nothing says where it is has the name of its directory for a path,
// which leads to it.
func TestProjectsHaveAPath(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.home, "projects", "-srv-lost", "memory")
	w.must(os.MkdirAll(dir, 0o700))
	w.must(os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("remember\n"), 0o600))
	found := false
	for _, p := range get[struct {
		Projects []struct{ Path, DirName string }
	}](w, "/projects").Projects {
		if p.Path == "" {
			t.Errorf("%s has no path", p.DirName)
		}
		found = found || p.Path == "-srv-lost"
	}
	if got := get[struct{ Path string }](w, "/projects/-srv-lost").Path; !found || got != "-srv-lost" {
		t.Errorf("listed: %v, alone its path is %q", found, got)
	}
}
