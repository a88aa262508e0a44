package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep"
)

// TestNothingStays makes many families and deletes them: nothing of them is
// kept.
func TestNothingStays(t *testing.T) {
	p := newPlace(t)
	o := p.options()
	now := time.Now()
	o.Now = func() time.Time { return now }
	o.Poll = true
	o.Reports = filepath.Join(t.TempDir(), "reports")
	hub := New(o)
	hub.pace.near, hub.pace.far = quick.near, quick.far
	l := newLoop(context.Background(), hub)
	defer l.close()
	l.start()
	look := func() {
		for range 2 { // what was just read rests once
			l.sweepAll()
			for range hub.pace.far {
				l.sweep()
			}
			l.work()
			l.wakeRested()
		}
	}
	const families = 1000
	for i := range families {
		id := sesskeep.SessionID(fmt.Sprintf("%08x-0000-4000-8000-000000000000", i))
		p.write(mainFile(id), says("user", "q"))
		if i%2 == 0 {
			p.write(agentFile(id, "a1"), says("user", "look"))
		}
		p.must(AppendReport(o.Reports, Report{Time: now, Event: "UserPromptSubmit", Session: id}))
	}
	look()
	h := l.homes[0]
	sizes := func() []int {
		f := h.tree.folders["-w"]
		return []int{len(h.sessions), len(hub.shown), len(f.files), len(f.sides), len(l.lastReport.last)}
	}
	if got, want := fmt.Sprint(sizes()), fmt.Sprint([]int{families, families, families, families, families}); got != want {
		t.Fatalf("sessions, shown, files, sides, reports: got %s, want %s", got, want)
	}
	p.must(os.RemoveAll(p.path("projects/-w")))
	p.mkdir("projects/-w")
	for i := range families { // a watch tells of what is gone already
		h.notice(fmt.Sprintf("projects/-w/%08x-0000-4000-8000-000000000000/subagents/agent-a1.jsonl", i))
		h.notice(fmt.Sprintf("projects/-w/%08x-0000-4000-8000-000000000000/subagents", i))
	}
	now = now.Add(2 * time.Hour)
	look()
	if got := fmt.Sprint(sizes()); got != "[0 0 0 0 0]" {
		t.Errorf("sessions, shown, files, sides, reports that stay: %s", got)
	}
}
