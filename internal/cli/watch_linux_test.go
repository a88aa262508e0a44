package cli

import (
	"strings"
	"testing"
)

// On a terminal, without an address, the project and the session are asked for.
// What is typed ends, so that nobody waits for more of it.
func TestWatchAsks(t *testing.T) {
	home, dir, _ := resumeHome(t)
	vars := map[string]string{"TERM": "xterm", "NO_COLOR": "1"}
	for _, c := range []struct {
		name, typed string
		want        []string
	}{
		{"a session", "9\n1\n2\n\x04", []string{"0  all sessions that run  0 sessions\n", "1  my-app", "watch which project, 0-1> ", "watch which session, 0-2> ", "note: watching 1 session"}},
		{"all", "\n\x04", []string{"note: watching 0 sessions"}},
		{"all of a project", "1\n\n\x04", []string{"2  ", "Talk 1", "note: watching 0 sessions"}},
	} {
		code, shown := typeOnTTY(t, home, c.typed, vars, "--claude-dir", home, "watch", "--timeout", "500ms")
		if code != 8 {
			t.Errorf("%s: exit code %d", c.name, code)
		}
		for _, want := range c.want {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: %q is missing (%s):\n%s", c.name, want, dir, shown)
			}
		}
	}
}
