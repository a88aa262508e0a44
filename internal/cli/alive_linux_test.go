package cli

import (
	"fmt"
	"os"
	"testing"

	"sesskeep/internal/storetest"
)

func TestAlive(t *testing.T) {
	pid := os.Getpid()
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Skip(err)
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		t.Skip(err)
	}
	start := startTime(string(stat))
	for _, test := range []struct {
		name          string
		pid           int
		start, domain string
		want          bool
	}{
		{"ours", pid, start, "linux:00ff:" + space, true},
		{"of an old client", pid, "", "", true},
		{"another of that number", pid, "1" + start, "", false},
		{"in another container", pid, start, "linux:00ff:pid:[1]", false},
		{"of another system", pid, start, "darwin:00ff", false},
		{"gone", 1 << 30, "", "", false},
		{"none", 0, "", "", false},
	} {
		if got := alive(test.pid, test.start, test.domain); got != test.want {
			t.Errorf("%s: alive is %v", test.name, got)
		}
	}
	if got := startTime("7 (a) b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 42 20"); got != "42" {
		t.Errorf("start time behind an odd name is %q, want 42", got)
	}
}

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
	got := runIn(t, "/", 0, "doctor", "--claude-dir", home, "--jq", `"\(.running) \(.leftovers|length) \(.problems|length) \(.lost)"`)
	if want := "1 0 0 0\n"; got != want {
		t.Errorf("running, left over, problems, lost: got %q, want %q", got, want)
	}
}
