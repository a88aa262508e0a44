package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/follow"
)

// On a terminal, without an address, the project and the session are asked for.
func TestWatchAsks(t *testing.T) {
	home, _, _ := resumeHome(t)
	for _, c := range []struct {
		name, typed string
		want        []string
		session     string // of the only target
		project     bool
	}{
		{"a session", "9\n1\n2\n", []string{
			"0  all sessions that run  0 sessions\n", "1  my-app-", "watch which project, 0-1 (Enter: all that run, q: leave)> ",
			`"9" is none of them: type a number from 0 to 1, or q to leave`, "watch which session, 0-2 ("}, "11111111", false},
		{"all", "\n", nil, "", false},
		{"all of a project", "1\n\n", []string{"2  ", "Talk 1"}, "", true},
	} {
		var shown bytes.Buffer
		sh := &shell{Env: Env{
			Stdin: strings.NewReader(c.typed), Stdout: &shown, Stderr: &shown, Home: t.TempDir(),
			Lookup: func(string) (string, bool) { return "", false }, Now: func() time.Time { return testNow },
		}}
		sh.flags.claudeDirs = []string{home}
		a, err := sh.openLive()
		if err != nil {
			t.Fatal(err)
		}
		var w follow.WatchOptions
		if err := sh.pickWatched(t.Context(), a, &w); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, &shown)
		}
		if got := len(w.Targets); (got == 1) != (c.session != "") || got == 1 && !strings.HasPrefix(string(w.Targets[0].Ref.Session), c.session) {
			t.Errorf("%s: %d targets\n%s", c.name, got, &shown)
		}
		if (w.Project != nil) != c.project {
			t.Errorf("%s: of a project: %v", c.name, w.Project != nil)
		}
		for _, want := range c.want {
			if !strings.Contains(shown.String(), want) {
				t.Errorf("%s: %q is missing:\n%s", c.name, want, &shown)
			}
		}
		sh.finish(nil)
	}
}

// One can leave, and flags that are an order for whatever runs ask nothing.
func TestWatchTerminal(t *testing.T) {
	home, _, _ := resumeHome(t)
	for _, c := range []struct {
		typed string
		args  []string
		code  int
		want  string
	}{
		{"q\n\x04", nil, 130, "watch which project"},
		{"1\nQ\n\x04", nil, 130, "watch which session"},
		{"\x04", nil, 130, "watch which project"},
		{"", []string{"--timeout", ".1"}, 8, "note: no session runs; watching for those that begin\n"},
		{"", []string{"--until", "needs you", "--timeout", ".1"}, 8, "timed out after 100ms: no session is needs you"},
		{"", []string{"--all", "--timeout", ".1"}, 8, "note: watching every session that changes\n"},
	} {
		vars := map[string]string{"TERM": "xterm", "NO_COLOR": "1"}
		code, shown := typeOnTTY(t, home, c.typed, vars, append([]string{"--claude-dir", home, "watch"}, c.args...)...)
		asked := strings.Contains(shown, "which project")
		if code != c.code || !strings.Contains(shown, c.want) || asked != (len(c.args) == 0) {
			t.Errorf("%q %q: exit code %d, want %d and %q:\n%s", c.typed, c.args, code, c.code, c.want, shown)
		}
	}
}

// What goes to a terminal of some width is broken between words.
func TestRemarksWrap(t *testing.T) {
	home, _, _ := resumeHome(t)
	vars := map[string]string{"TERM": "xterm", "COLUMNS": "40", "NO_COLOR": "1"}
	_, shown := typeOnTTY(t, home, "", vars, "--claude-dir", home+"/nowhere", "ls")
	if !strings.Contains(shown, "sesskeep: hint: check the path: a home\nis the directory with projects/ in it\n") {
		t.Errorf("got\n%s", shown)
	}
}

// The interface on a terminal that cannot show it.
func TestDumbTerminal(t *testing.T) {
	home, _, _ := resumeHome(t)
	code, shown := typeOnTTY(t, home, "", map[string]string{"TERM": "dumb"}, "--claude-dir", home)
	if want := "needs a terminal that can move its cursor"; code != 2 || !strings.Contains(shown, want) || strings.Contains(shown, "Reading:") {
		t.Errorf("exit code %d:\n%s", code, shown)
	}
}
