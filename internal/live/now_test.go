package live

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep"
)

// TestNow looks once at homes of the real client, every registered process
// alive, and sees what a Hub sees.
func TestNow(t *testing.T) {
	shared := os.Getenv("SESSKEEP_SHARED")
	if shared == "" {
		t.Skip("SESSKEEP_SHARED names no corpus")
	}
	homes, err := filepath.Glob(filepath.Join(shared, "corpus", "real-client", "*", "snapshots", "*"))
	if err != nil {
		t.Fatal(err)
	}
	running := 0
	for _, dir := range homes {
		store, err := sesskeep.Open(dir)
		if err != nil {
			continue // the list of files beside a snapshot
		}
		o := Options{Stores: []*sesskeep.Store{store}, Alive: func(int, string, string) bool { return true }, Poll: true}
		hub := New(o)
		o.Now = hub.o.Now
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- hub.Run(ctx) }()
		<-hub.Ready()
		got, err := Now(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range got.Sessions() {
			running++
			want, ok := stateOf(hub, s.Key.Session)
			if !ok || s.State != want {
				t.Errorf("%s %s: %v, the hub says %v", filepath.Base(dir), s.Key.Session, s.State, want)
			}
		}
		for _, s := range hub.Sessions() {
			if s.State.Runs() && !has(got.Sessions(), s.Key.Session) {
				t.Errorf("%s: %s runs and is not listed", filepath.Base(dir), s.Key.Session)
			}
		}
		stop()
		<-done
	}
	if running == 0 {
		t.Error("no snapshot has a session that runs")
	}
}

func has(list []Session, id sesskeep.SessionID) bool {
	for _, s := range list {
		if s.Key.Session == id {
			return true
		}
	}
	return false
}

// The last report is the latest, wherever in the file it stands.
func TestTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "reports")
	for _, r := range []Report{
		{Time: time.Unix(2, 0), Event: "Stop", Session: sid1},
		{Time: time.Unix(1, 0), Event: "PermissionRequest", Session: sid1},
		{Time: time.Unix(1, 0), Event: "SessionStart", Session: sid2},
		{Time: time.Unix(1, 0), Event: "Stop", Session: sid2},
	} {
		if err := AppendReport(file, r); err != nil {
			t.Fatal(err)
		}
	}
	told, err := LastReports(file, nil)
	if err != nil || told.Of("", sid1).Event != "Stop" || told.Of("", sid2).Event != "Stop" {
		t.Errorf("got %v, %v", told, err)
	}
}
