package row_test

import (
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
	"sesskeep/internal/index/row"
	"sesskeep/internal/storetest"
)

func TestAssignPaths(t *testing.T) {
	for _, tt := range []struct {
		name  string
		dir   sesskeep.ProjectKey
		cwds  string // sessions with a bar between, each with its working directories
		hints string
		want  string
	}{
		{"one", "-a", "/a", "", "/a"},
		{"went elsewhere later", "-a", "/a /b /c", "", "/a"},
		{"started elsewhere, then came here", "-a", "/b /a", "", "/a"},
		{"colliding paths", "-a-b", "/a/b|/a.b|/a.b|/a-b", "", "/a/b /a.b /a.b /a-b"},
		{"never here: with the most", "-a-b", "/a/b|/a.b|/a.b|/x|/y /z", "", "/a/b /a.b /a.b /a.b /a.b"},
		{"no working directory: with the most", "-a", "/a||", "", "/a /a /a"},
		{"equally many: the first by name", "-a-b", "/a/b|/a.b|/x", "", "/a/b /a.b /a.b"},
		{"named by hand", "my-dir", "/x /y|/z|/z", "", "/x /z /z"},
		{"named by hand, one without", "my-dir", "/x /y|/z|/z|", "", "/x /z /z /z"},
		{"nothing but a hint", "-a-b", "|", "/x /a_b /a.b", "/a_b /a_b"},
		{"a hint against a session", "-a-b", "/a/b|", "/a_b", "/a/b /a/b"},
		{"the folder was moved", "-new", "/old|/old /old/sub|", "/x /new", "/new /new /new"},
		{"no hint that fits", "-a-b", "|", "/x", " "},
		{"no sessions", "-a", "", "/a", "/a"},
	} {
		var cwds [][]string
		for _, list := range strings.Split(tt.cwds, "|") {
			cwds = append(cwds, strings.Fields(list))
		}
		got := strings.Join(row.AssignPaths(tt.dir, cwds, strings.Fields(tt.hints)), " ")
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := row.AssignPaths("-a", nil, nil); len(got) != 0 {
		t.Errorf("of no sessions: %q", got)
	}
}

func TestIndexedPath(t *testing.T) {
	files, err := homefs.Open(storetest.Home(t, `
-- projects/-a/sessions-index.json --
{"version":1,"entries":[{"originalPath":"/no"}],"originalPath":"/a"}
-- projects/-b/sessions-index.json --
{"originalPath":
-- projects/-c/x --
`))
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[sesskeep.ProjectKey]string{"-a": "/a", "-b": "", "-c": "", "-d": ""} {
		if got := row.IndexedPath(files, dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
