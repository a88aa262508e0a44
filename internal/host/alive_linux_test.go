package host

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A process that has ended is not alive, also while nobody has asked how it ended; and
// whoever waits for its end hears of it then.
func TestZombie(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { _ = cmd.Wait() }() // not before: it is to be a zombie
	pid := cmd.Process.Pid
	if !Alive(pid, "", "") {
		t.Error("it runs, and is not alive")
	}
	gone := make(chan struct{})
	stop, ok := OnExit(pid, func() { close(gone) })
	defer stop()
	other, _ := OnExit(pid, func() { t.Error("it was told to stop") })
	other()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if ok {
		<-gone
	} else {
		t.Log("this system has no pidfd")
	}
	for end := time.Now().Add(time.Minute); Alive(pid, "", ""); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it was killed, and is alive")
		}
	}
	stat, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil || !strings.Contains(string(stat), ") Z ") {
		t.Errorf("it is no zombie: %s, %v", stat, err)
	}
	if _, ok := OnExit(1<<30, func() {}); ok {
		t.Error("there is no such process")
	}
}

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
