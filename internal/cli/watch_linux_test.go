package cli

import (
	"strings"
	"testing"
)

// Flags that are an order for whatever runs ask nothing.
func TestWatchTerminal(t *testing.T) {
	home, _, _ := resumeHome(t)
	for _, c := range []struct {
		typed string
		args  []string
		code  int
		want  string
	}{
		{"", []string{"--timeout", ".1"}, 8, "note: no session runs; watching for those that begin\n"},
		{"", []string{"--until", "needs you", "--timeout", ".1"}, 8, "timed out after 100ms: no session needs you"},
		{"", []string{"--all", "--timeout", ".1"}, 8, "note: watching every session that changes\n"},
	} {
		vars := map[string]string{"TERM": "xterm", "NO_COLOR": "1"}
		code, shown := typeOnTTY(t, home, c.typed, vars, append([]string{"--claude-dir", home, "watch"}, c.args...)...)
		asked := strings.Contains(shown, "which session?")
		if code != c.code || !strings.Contains(shown, c.want) || asked {
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
