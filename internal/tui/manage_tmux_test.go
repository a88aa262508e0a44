//go:build unix

package tui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// thirtyHome writes a home of thirty sessions that rest for a day.
func (x *terminal) thirtyHome() string {
	x.t.Helper()
	home := filepath.Join(x.dir, "thirty")
	dir := filepath.Join(home, "projects", "-w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		x.t.Fatal(err)
	}
	at := time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)
	for i := range 30 {
		file := filepath.Join(dir, fmt.Sprintf("%04d1111-0000-4000-8000-%012d.jsonl", i, i))
		text := fmt.Sprintf(talkLine, fmt.Sprintf("u%d", i), at.Format(time.RFC3339), fmt.Sprintf("session %02d", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			x.t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			x.t.Fatal(err)
		}
		at = at.Add(-time.Hour)
	}
	return home
}

// TestTmuxManage archives thirty sessions and takes that back, and goes through the
// pages for what was put away.
func TestTmuxManage(t *testing.T) {
	x := newTerminal(t, 80, 24)
	home := x.thirtyHome()
	x.run("--claude-dir " + home)
	x.awaitText("Keep copies? [Y/n]")
	x.keys("n", "Enter")
	x.awaitText(" 1/30")
	x.keys("C-a")
	x.awaitText("30 marked")
	x.keys("e")
	x.awaitText("Type 30 to go on:")
	x.compare("bulk-80x24")
	x.keys("30", "Enter")
	x.awaitText("30 sessions archived")
	x.awaitText("No sessions here. Hidden: 30 archived.")
	x.keys("0")
	x.awaitText("0 Archive")
	x.awaitText(" 1/30")
	x.keys("u")
	x.awaitText("30 changes taken back")
	x.keys("2")
	x.awaitText("all projects · 30 sessions ─")

	x.keys("d")
	x.awaitText("d again: trash")
	x.keys("d")
	x.awaitText("1 session trashed")
	x.keys("9")
	x.awaitText("1 session in the trash")
	x.keys("d", "d")
	x.awaitText("type 0000 to delete it for ever")
	x.keys("0000", "Enter")
	x.awaitText("The trash is empty.")
	x.keys("U")
	x.awaitText("undo archive")
	screen := x.screen()
	for _, want := range []string{"purge", "30 sessions", "taken back"} {
		if !strings.Contains(screen, want) {
			t.Errorf("no %q in:\n%s", want, screen)
		}
	}
	if list, _ := filepath.Glob(filepath.Join(home, "projects", "-w", "*.jsonl")); len(list) != 29 {
		t.Errorf("%d sessions are left, want 29", len(list))
	}
}
