package run

import (
	"testing"

	"sesskeep/internal/cli/shell"
)

// TestOtherHome: the client is told of a home only where it would not find it.
func TestOtherHome(t *testing.T) {
	for _, test := range []struct {
		root, set string
		want      string
		change    bool
	}{
		{"/u/.claude", "", "", false},
		{"/u/.claude", "/x", "", true},
		{"/u/.claude", "/u/.claude", "/u/.claude", false},
		{"/x", "", "/x", true},
		{"/x", "/x/", "/x/", false},
		{"/x", "/y", "/x", true},
	} {
		sh := &shell.Shell{Env: shell.Env{Home: "/u", Lookup: func(string) (string, bool) { return test.set, test.set != "" }}}
		if got, change := otherHome(sh, test.root); got != test.want || change != test.change {
			t.Errorf("%s with %q set: %q, %v; want %q, %v", test.root, test.set, got, change, test.want, test.change)
		}
	}
}
