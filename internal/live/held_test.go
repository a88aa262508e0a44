package live

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep"
)

// A line as 2.0.76 writes it: these clients have no registry file.
func saysOld(who, text string) string {
	return strings.Replace(says(who, text), `{"type":`, `{"version":"2.0.76","type":`, 1)
}

// A process that runs in the directory of a session and was there before it was
// written last holds it open; one that registered, one that runs elsewhere and one
// that came later do not.
func TestHeld(t *testing.T) {
	p := newPlace(t)
	p.write("projects/-w-app/"+string(sid1)+".jsonl", saysOld("user", "q"))
	p.write("projects/-w-app/"+string(sid2)+".jsonl", saysOld("user", "q"))
	now := time.Now()
	for id, before := range map[sesskeep.SessionID]time.Duration{sid1: 5 * time.Minute, sid2: 10 * time.Minute} {
		at := now.Add(-before)
		p.must(os.Chtimes(p.path("projects/-w-app/"+string(id)+".jsonl"), at, at))
	}
	early, late := now.Add(-time.Hour), now.Add(-time.Minute)
	for name, tt := range map[string]struct {
		processes []Process
		want      map[sesskeep.SessionID]int
	}{
		"one":                        {[]Process{{7, "/w/app", early}}, map[sesskeep.SessionID]int{sid1: 7}},
		"two, the later has the one": {[]Process{{7, "/w/app", early}, {8, "/w/app", now.Add(-6 * time.Minute)}}, map[sesskeep.SessionID]int{sid1: 8, sid2: 7}},
		"started since":              {[]Process{{7, "/w/app", late}}, nil},
		"elsewhere":                  {[]Process{{7, "/w", early}}, nil},
		"registered":                 {[]Process{{71, "/w/app", early}}, nil},
	} {
		if name == "registered" {
			p.register(71, "99999999-0000-4000-8000-000000000000", "idle")
		}
		o := p.options()
		o.Processes = func() ([]Process, bool) { return tt.processes, true }
		a, err := ReadActivity(o.Stores[0], o)
		p.must(err)
		got := map[sesskeep.SessionID]int{}
		for id, c := range a.Held {
			got[id] = c.PID
		}
		if len(got) != len(tt.want) || got[sid1] != tt.want[sid1] || got[sid2] != tt.want[sid2] || a.Blind {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

// A tool of an old client that runs long is work as long as its process is there,
// its hooks are believed, and when the process is gone it is unclean.
func TestHeldSession(t *testing.T) {
	p := newPlace(t)
	file := "projects/-w-app/" + string(sid1) + ".jsonl"
	p.write(file, saysOld("user", "q"))
	at := time.Now().Add(-time.Minute)
	p.must(os.Chtimes(p.path(file), at, at))
	var gone atomic.Bool
	o := p.options()
	o.Reports = p.path("reports.jsonl")
	o.Processes = func() ([]Process, bool) {
		if gone.Load() {
			return nil, true
		}
		return []Process{{7, "/w/app", time.Now().Add(-time.Hour)}}, true
	}
	once, err := Now(o)
	p.must(err)
	if s, ok := once.Of(sesskeep.Key{Session: sid1}); !ok || s.Word != Working || s.PID != 7 {
		t.Errorf("one look says %+v", s)
	}
	h := New(o)
	h.pace = quick
	run(t, h)
	if s, ok := stateOf(h, sid1); !ok || s.Word != Working || s.PID != 7 {
		t.Errorf("at the start it is %+v", s)
	}
	sub := h.Subscribe(Interest{})
	defer sub.Close()
	p.must(AppendReport(o.Reports, Report{Time: time.Now(), Event: "PermissionRequest", Session: sid1, Tool: "Bash", Text: "make"}))
	if ev := becomes(t, sub, sid1, NeedsYou); ev.State.Waiting != "permission: Bash make" {
		t.Errorf("it waits for %q", ev.State.Waiting)
	}
	gone.Store(true)
	becomes(t, sub, sid1, Unclean)
}
