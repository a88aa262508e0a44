package live

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep"
)

// Two homes have a session of one id and a client in each. A hook that reports
// while both are watched tells of the one whose transcript it names.
func TestReportsOfTwoHomes(t *testing.T) {
	one, two := newPlace(t), newPlace(t)
	o := one.options()
	o.Stores = append(o.Stores, two.options().Stores...)
	o.Stores[0].Identify("m", "one")
	o.Stores[1].Identify("m", "two")
	o.Reports = filepath.Join(t.TempDir(), "reports.jsonl")
	for _, p := range []*place{one, two} {
		p.write(mainFile(sid1), says("user", "hello"))
		p.register(12, sid1, "busy")
	}
	hub := New(o)
	hub.pace = quick
	run(t, hub)
	sub := hub.Subscribe(Interest{})
	defer sub.Close()
	time.Sleep(2 * time.Millisecond) // the report is later than the clients' status
	if err := AppendReport(o.Reports, Report{
		Time: time.Now(), Event: "PermissionRequest", Session: sid1, Tool: "Bash", Text: "make", File: two.path(mainFile(sid1)),
	}); err != nil {
		t.Fatal(err)
	}
	ev := becomes(t, sub, sid1, NeedsYou)
	if ev.Root != two.root {
		t.Errorf("%s needs somebody, want %s", ev.Root, two.root)
	}
	for home, want := range map[sesskeep.HomeID]Word{"one": Working, "two": NeedsYou} {
		if s, ok := hub.Session(sesskeep.Key{Session: sid1, Home: home, Machine: "m"}); !ok || s.State.Word != want {
			t.Errorf("%s is %v, want %s", home, s.State, want)
		}
	}
}

// A report counts in the home of its transcript, however that is written, in no
// home if that is another, and in all if nobody knows.
func TestLatest(t *testing.T) {
	dir := t.TempDir()
	ours, twin, link, others := filepath.Join(dir, "ours"), filepath.Join(dir, "twin"), filepath.Join(dir, "link"), filepath.Join(dir, "others")
	for _, name := range []string{ours, twin, others} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(ours, link); err != nil {
		t.Skip("no links here:", err)
	}
	at := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		file       string
		ours, twin bool
	}{
		{filepath.Join(ours, "projects", "-w", "s.jsonl"), true, false},
		{filepath.Join(twin, "projects", "-w", "s.jsonl"), false, true},
		{filepath.Join(link, "projects", "-w", "s.jsonl"), true, false},
		{filepath.Join(others, "projects", "-w", "s.jsonl"), false, false},
		{filepath.Join(dir, "gone", "projects", "-w", "s.jsonl"), true, true},
		{ours + "-not/projects/-w/s.jsonl", true, true},
		{"/h/s.jsonl", true, true},
		{"s.jsonl", true, true},
		{"", true, true},
	} {
		l := newLatest([]string{ours, twin})
		l.add(Report{Time: at, Event: "Stop", Session: sid1, File: test.file})
		for root, want := range map[string]bool{ours: test.ours, twin: test.twin} {
			if got := l.Of(root, sid1).Event == "Stop"; got != want {
				t.Errorf("%q counts in %s: %v, want %v", test.file, filepath.Base(root), got, want)
			}
		}
		if r := l.Of(ours, sesskeep.SessionID("other")); r.Event != "" {
			t.Errorf("another session has %v", r)
		}
	}
}
