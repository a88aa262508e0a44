package cli

import (
	"fmt"
	"os"
	"testing"

	"sesskeep/internal/storetest"
)

// TestDoctorLive has a client that runs and is in the middle of a line: that is
// no damage, and the client is not left over.
func TestDoctorLive(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	home := storetest.Home(t, fmt.Sprintf(`
-- sessions/%d.json --
{"pid":%d,"sessionId":%q}
-- projects/-w/%s.jsonl --
{"type":"user","uuid":"a","cwd":"/w","message":{"role":"user","content":"hi"}}
{"type":"assistant","uuid":"b","pare
`, os.Getpid(), os.Getpid(), id, id))
	file := home + "/projects/-w/" + id + ".jsonl"
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, info.Size()-1); err != nil { // the newline of the archive
		t.Fatal(err)
	}
	got := runIn(t, "/", 0, "doctor", "--claude-dir", home, "--jq", `"\(.runningCount) \(.leftovers|length) \(.problems|length) \(.lostCount)"`)
	if want := "1 0 0 0\n"; got != want {
		t.Errorf("running, left over, problems, lost: got %q, want %q", got, want)
	}
}
