package host

import (
	"os"
	"testing"
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
		if got := Alive(test.pid, test.start, test.domain); got != test.want {
			t.Errorf("%s: alive is %v", test.name, got)
		}
	}
	if got := startTime("7 (a) b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 42 20"); got != "42" {
		t.Errorf("start time behind an odd name is %q, want 42", got)
	}
}
