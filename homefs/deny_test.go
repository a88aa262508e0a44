package homefs_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/homefs"
)

func TestDenied(t *testing.T) {
	denied := `
.credentials.json .credentials.json.lock .credentials .CREDENTIALS.JSON ./.credentials.json
x/../.credentials.json my.key .key server.KEY .oauth_refresh.lock .device-keys.json
mcp-oauth-tokens.json mcp-oauth-tokens-2.json hfi-auth.json unattended-serving-consent.json
sessions/12.abcdef.key daemon/control.key daemon/roster.json Daemon/Roster.json
/.credentials.json //sessions/1.key session-env\s\env.sh sessions\1.ff.key .\.credentials.json
ide/12345.lock shell-snapshots/snapshot-bash-1-a.sh session-env/s/env.sh session-env/s/deep/env.sh
`
	allowed := `
settings.json projects/-w/a.jsonl projects/-w/.credentials-notes.jsonl sessions/12.json
daemon.log daemon.lock daemon/control.sock ide/12345.json ide shell-snapshots session-env session-env/s
history.jsonl .claude.json keybindings.json projects/-w/x.key.jsonl todos/a.json keys/a.json
`
	for _, name := range strings.Fields(denied) {
		if !homefs.Denied(name) {
			t.Errorf("%s is not denied", name)
		}
	}
	for _, name := range strings.Fields(allowed) {
		if homefs.Denied(name) {
			t.Errorf("%s is denied", name)
		}
	}
}

// What is denied is neither opened nor read, by whatever name.
func TestDeniedIsNotOpened(t *testing.T) {
	s := openHome(t, `
-- .credentials.json --
hush
-- sessions/1.ff.key --
hush
-- session-env/s/env.sh --
hush
-- settings.json --
{}
`)
	for _, name := range []string{
		".credentials.json", "./.credentials.json", "x/../.credentials.json", "sessions/1.ff.key",
		"sessions/../.credentials.json", "session-env/s/env.sh", "session-env//s/./env.sh",
	} {
		if _, err := s.Files().Open(name); !errors.Is(err, homefs.ErrDenied) {
			t.Errorf("open %s: %v", name, err)
		}
		data, err := s.Files().ReadFile(name, 1<<20)
		if !errors.Is(err, homefs.ErrDenied) || len(data) > 0 {
			t.Errorf("read %s: %q, %v", name, data, err)
		}
		if _, err := s.Tail(name, homefs.Mark{}); !errors.Is(err, homefs.ErrDenied) {
			t.Errorf("tail %s: %v", name, err)
		}
	}
	up := "../" + filepath.Base(s.Root()) + "/"
	for _, name := range []string{
		"/.credentials.json", "//.credentials.json", "/settings.json", up + ".credentials.json", up + "settings.json",
		"../x", "sessions/../../x", s.Path(".credentials.json"), s.Path("settings.json"), "", ".", "..", "settings.json/x",
	} {
		if f, err := s.Files().Open(name); err == nil {
			f.Close()
			t.Errorf("%s was opened", name)
		}
	}
	if _, err := s.Files().Open("settings.json"); err != nil {
		t.Error(err)
	}
	if _, err := s.Files().Open("gone.json"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("open gone.json: %v", err)
	}
	if _, err := s.Files().ReadFile("settings.json", 1); !errors.Is(err, homefs.ErrTooLarge) {
		t.Errorf("read too much: %v", err)
	}
}
