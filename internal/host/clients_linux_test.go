package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A process that calls itself claude is found, with where and since when it runs;
// another one is not.
func TestClients(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string) int {
		program := filepath.Join(dir, name)
		if err := os.WriteFile(program, data, 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "100")
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		return cmd.Process.Pid
	}
	before := time.Now()
	client, other := run("claude"), run("clawd")
	list, ok := Clients()
	if !ok {
		t.Fatal("not known")
	}
	found := false
	for _, p := range list {
		if p.PID == other {
			t.Errorf("%+v is no client", p)
		}
		if p.PID == client {
			found = true
			if p.Cwd != dir || p.Started.Sub(before).Abs() > time.Minute {
				t.Errorf("got %+v, want one in %s since %s", p, dir, before)
			}
		}
	}
	if !found {
		t.Errorf("%d is not among %+v", client, list)
	}
}
