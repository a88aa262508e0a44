package follow

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"sesskeep/internal/live"
)

// TestLifecycleHasRuns adds runs to a log that a watcher wrote for a while: what nobody watched
// is there, and what somebody did is there once.
func TestLifecycleHasRuns(t *testing.T) {
	at := time.Date(2026, 11, 18, 10, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "log")
	logged := `{"timestamp":"2026-11-18T10:00:01.000Z","root":"/h","sessionId":"b","kind":"appeared","state":"working"}
{"timestamp":"2026-11-18T10:00:31.000Z","root":"/h","sessionId":"b","kind":"state","state":"unclean","was":"working"}
`
	if err := os.WriteFile(path, []byte(logged), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(id string, kind live.Kind, word live.Word, after time.Duration) live.Record {
		return live.Record{Time: at.Add(after), Root: "/h", Session: "a", Kind: kind, State: word, Why: id}
	}
	watched := []live.Record{run("r2", live.Appeared, live.Working, 0), run("r2", live.Changed, live.Ended, 30*time.Second)}
	for i := range watched {
		watched[i].Session = "b"
	}
	page, err := Lifecycle(t.Context(), path, LifeFilter{
		Roots: []string{"/h"}, Runs: append([]live.Record{run("r1", live.Appeared, live.Working, -time.Minute), run("r1", live.Changed, live.Ended, 10*time.Second)}, watched...),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, r := range page.Events {
		got += string(r.Session) + " " + string(r.State) + ", "
	}
	if want := "a working, b working, a ended, b unclean, "; got != want || page.Total != 4 {
		t.Errorf("%d events: %s; want %s", page.Total, got, want)
	}
}
