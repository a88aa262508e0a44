package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sesskeep/internal/storetest"
)

// On a terminal a repair shows its plan and waits for an answer; only yes changes
// the file.
func TestRepairAsks(t *testing.T) {
	const name = "projects/-w/22222222-0000-4000-8000-000000000002.jsonl"
	const damaged = `{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-11-15T10:00:00.000Z","sessionId":"22222222-0000-4000-8000-000000000002","message":{"role":"user","content":"hi"}}
not json at all
`
	home := filepath.Join(t.TempDir(), ".claude")
	if err := storetest.Write(home, []byte("-- "+name+" --\n"+damaged)); err != nil {
		t.Fatal(err)
	}
	repair := func(answer string) (shown string, left bool) {
		t.Helper()
		s := startOnTTY(t, home, onXterm, "repair", "2222", "--claude-dir", home)
		s.await("Continue? [y/N]", answer)
		if code := s.code(); code != 0 {
			t.Errorf("%q: exit code %d: %q", answer, code, s.shown())
		}
		now, err := os.ReadFile(filepath.Join(home, name))
		if err != nil {
			t.Fatal(err)
		}
		return s.shown(), string(now) == damaged
	}
	for _, answer := range []string{"\n", "n\n", "\x04"} {
		if shown, left := repair(answer); !left || !strings.Contains(shown, "line 2: bytes that are not a record are left out") {
			t.Errorf("%q: the file is as it was: %v; shown %q", answer, left, shown)
		}
	}
	if _, left := repair("y\n"); left {
		t.Error("nothing was repaired after a yes")
	}
}
