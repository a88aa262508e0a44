package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"sesskeep/internal/storetest"
)

// A project directory can be a link, to the whole file system if need be. What
// lies below it is not walked: of the directories there only those are opened
// that are called like a session.
func TestLinkedProject(t *testing.T) {
	const id = "11111111-0000-4000-8000-000000000000"
	home := storetest.Home(t, `
-- projects/-w/22222222-0000-4000-8000-000000000000.jsonl --
{"type":"user","uuid":"a","parentUuid":null,"cwd":"/w","message":{"role":"user","content":"hi"}}
`)
	system := t.TempDir()
	if err := os.WriteFile(filepath.Join(system, id+".jsonl"), []byte(`{"type":"user","uuid":"b","parentUuid":null,"cwd":"/","message":{"role":"user","content":"found"}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	watch, err := syscall.InotifyInit1(syscall.IN_NONBLOCK)
	if err != nil {
		t.Skip("directories cannot be watched:", err)
	}
	defer syscall.Close(watch)
	for _, name := range []string{"usr", "usr/lib", "proc", "subagents", "tool-results"} {
		dir := filepath.Join(system, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := syscall.InotifyAddWatch(watch, dir, syscall.IN_OPEN); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(system, filepath.Join(home, "projects", "-root")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"ls", "--all"}, {"search", "found"}, {"usage"}, {"stats"}, {"project", "ls"}, {"doctor"}, {"storage"}, {"ps", "--all"},
		{"show", "1111"}, {"session", "agents", "1111"}, {"session", "files", "1111"},
	} {
		runOver(t, home, args...)
		var buf [4096]byte
		if n, err := syscall.Read(watch, buf[:]); err != syscall.EAGAIN {
			t.Errorf("%q opens a directory below a linked one: %d, %v", args, n, err)
		}
	}
	if got := ids(t, home, ".sessions[].id", "ls", "--all"); len(got) != 2 {
		t.Errorf("sessions %v", got)
	}
}
