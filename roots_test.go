package sesskeep_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sesskeep"
	"sesskeep/internal/storetest"
)

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
