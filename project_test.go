package sesskeep_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sesskeep"
	"sesskeep/homefs"
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
		got := strings.Join(sesskeep.AssignPaths(tt.dir, cwds, strings.Fields(tt.hints)), " ")
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := sesskeep.AssignPaths("-a", nil, nil); len(got) != 0 {
		t.Errorf("of no sessions: %q", got)
	}
}

func TestProjectName(t *testing.T) {
	for path, want := range map[string]string{
		"/home/u/app":        "app",
		"/home/u/app/":       "app",
		"/home/u/.dotfiles":  "dotfiles",
		"/home/u/my_app.v2":  "my_app.v2",
		"/home/u/日本":         "root",
		"/home/u/a b\x1b[0m": "a-b--0m",
		`C:\src\x`:           "x",
		"/":                  "root",
		"":                   "dir",
	} {
		p := sesskeep.Project{Root: "/r", Dir: "-some-dir/dir", Path: path}
		if got := p.Base(); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
		if name := p.Name(); !regexp.MustCompile(`^`+regexp.QuoteMeta(want)+`-[a-z2-7]{4}$`).MatchString(name) || name != p.Name() {
			t.Errorf("%q: the name is %q", path, name)
		}
	}
	a := sesskeep.Project{Root: "/r", Dir: "-a-b", Path: "/a/b"}
	for _, b := range []sesskeep.Project{{Root: "/q", Dir: "-a-b", Path: "/a/b"}, {Root: "/r", Dir: "-a-b", Path: "/a.b/b"}, {Root: "/r", Dir: "x", Path: "/a/b"}} {
		if a.Name() == b.Name() {
			t.Errorf("%+v and %+v are both %s", a, b, a.Name())
		}
	}
}

func TestWorktree(t *testing.T) {
	for path, want := range map[string]string{
		"/w/app":                          " ",
		"/w/app/.claude/worktrees/wt1":    "/w/app wt1",
		`C:\w\app\.claude\worktrees\wt1`:  "C:/w/app wt1",
		"/w/app/.claude/worktrees":        " ",
		"/w/.claude/worktrees-not/x/.git": " ",
	} {
		repository, name := sesskeep.Project{Path: path}.Worktree()
		if got := repository + " " + name; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestIndexedPath(t *testing.T) {
	s := openHome(t, `
-- projects/-a/sessions-index.json --
{"version":1,"entries":[{"originalPath":"/no"}],"originalPath":"/a"}
-- projects/-b/sessions-index.json --
{"originalPath":
-- projects/-c/x --
`)
	for dir, want := range map[sesskeep.ProjectKey]string{"-a": "/a", "-b": "", "-c": "", "-d": ""} {
		if got := s.IndexedPath(dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

func TestRoots(t *testing.T) {
	home := storetest.Home(t, `
-- .claude/projects/.keep --
-- .config/claude/projects/.keep --
-- xdg/claude/settings.json --
{}
-- one/projects/.keep --
-- two/.keep --
-- with,comma/.keep --
-- odd/projects/projects/.keep --
`)
	at := func(names ...string) []string {
		var list []string
		for _, name := range names {
			list = append(list, filepath.Join(home, name))
		}
		return list
	}
	for link, target := range map[string]string{"again": "one", "linked": ".claude"} {
		if err := os.Symlink(filepath.Join(home, target), filepath.Join(home, link)); err != nil {
			t.Skip(err)
		}
	}
	one, two := at("one")[0], at("two")[0]
	for _, tt := range []struct {
		name   string
		given  []string
		config string
		xdg    string
		want   []string
	}{
		{"usual", nil, "", "", at(".claude", ".config/claude")},
		{"old home without projects", nil, "", at("xdg")[0], at(".claude")},
		{"named", nil, one, "", at("one")},
		{"named, not there", nil, at("gone")[0], "", at("gone")},
		{"list", nil, one + "," + two, "", at("one", "two")},
		{"list with blanks and holes", nil, " " + one + " ,, " + two + ",", "", at("one", "two")},
		{"only commas", nil, ",,", "", at(".claude", ".config/claude")},
		{"a comma in its name", nil, at("with,comma")[0], "", at("with,comma")},
		{"the projects folder", nil, one + "/projects", "", at("one")},
		{"a home that is called projects", nil, at("odd/projects")[0], "", at("odd/projects")},
		{"twice", nil, one + "," + one, "", at("one")},
		{"twice by a link", nil, one + "," + at("again")[0], "", at("one")},
		{"twice, not there", nil, at("gone")[0] + "," + at("gone")[0], "", at("gone")},
		{"given", at("two", "one", "again"), one, "", at("two", "one")},
	} {
		getenv := func(name string) string {
			return map[string]string{"CLAUDE_CONFIG_DIR": tt.config, "XDG_CONFIG_HOME": tt.xdg}[name]
		}
		if got := sesskeep.Roots(tt.given, getenv, home); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestStateFiles(t *testing.T) {
	usual := filepath.Join("h", ".claude")
	if got, want := homefs.StateFiles(usual), []string{filepath.Join(usual, ".claude.json"), filepath.Join("h", ".claude.json")}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := homefs.StateFiles("other"), []string{filepath.Join("other", ".claude.json")}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
