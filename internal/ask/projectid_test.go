package ask_test

import (
	"regexp"
	"testing"

	"sesskeep/internal/ask"
)

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
		p := ask.ProjectID{Root: "/r", Dir: "-some-dir/dir", Path: path}
		if got := p.Base(); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
		if name := p.Name(); !regexp.MustCompile(`^`+regexp.QuoteMeta(want)+`-[a-z2-7]{4}$`).MatchString(name) || name != p.Name() {
			t.Errorf("%q: the name is %q", path, name)
		}
	}
	a := ask.ProjectID{Root: "/r", Dir: "-a-b", Path: "/a/b"}
	for _, b := range []ask.ProjectID{{Root: "/q", Dir: "-a-b", Path: "/a/b"}, {Root: "/r", Dir: "-a-b", Path: "/a.b/b"}, {Root: "/r", Dir: "x", Path: "/a/b"}} {
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
		repository, name := ask.ProjectID{Path: path}.Worktree()
		if got := repository + " " + name; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
