package api_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep/internal/access"
	"sesskeep/internal/holder"
)

// TestRunHasOneState has a run work, ask, rest and end: the session list, what the server
// follows and the run say the same, though its client never registers.
func TestRunHasOneState(t *testing.T) {
	w, dir := runner(t)
	type session struct{ State struct{ Word string } }
	w.app.Stay()
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "[write:x.txt]"}, 200)
	check := func(want string) {
		t.Helper()
		run = w.untilRun(run.ID, want)
		var got string
		for end := time.Now().Add(10 * time.Second); got != want; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the run is %s, and its session %q", want, got)
			}
			if r := w.ask(access.Read, "GET", "/sessions/"+run.SessionID, ""); r.status == 200 {
				var s session
				w.must(json.Unmarshal(r.body, &s))
				got = s.State.Word
			}
		}
	}
	check("needs you")
	prompt := run.Prompts[0]
	send[holder.Record](w, access.Approve, "POST", "/inbox/"+prompt.ID, map[string]any{"behavior": "allow", "inputHash": prompt.Hash}, 200)
	check("your turn")
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/messages", map[string]any{"prompt": "[hang]"}, 200)
	check("working")
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/stop", map[string]any{}, 200)
	w.untilRun(run.ID, "ended")
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got := get[session](w, "/sessions/"+run.SessionID).State.Word
		if got == "ended" || got == "unclean" { // it was stopped in the middle of a turn
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the run has ended, and its session is %q", got)
		}
	}
}

// TestDamagedRunIsShown damages a line of what happened in a run: the run is shown with the
// other lines, and with what is wrong.
func TestDamagedRunIsShown(t *testing.T) {
	w, dir := runner(t)
	run := send[holder.Record](w, access.Operate, "POST", "/runs", map[string]any{"cwd": dir, "prompt": "hello"}, 200)
	w.untilRun(run.ID, "your turn")
	send[holder.Record](w, access.Operate, "POST", "/runs/"+run.ID+"/stop", map[string]any{}, 200)
	w.untilRun(run.ID, "ended")
	life := holder.Store{Dir: filepath.Join(filepath.Dir(w.home), "data", "runs")}.LifeFile(run.ID)
	data, err := os.ReadFile(life)
	w.must(err)
	lines := slices.Collect(strings.Lines(string(data)))
	lines[1] = "{damaged\n"
	w.must(os.WriteFile(life, []byte(strings.Join(lines, "")), 0o600))
	list := get[struct {
		Runs   []json.RawMessage
		Unread []string
		Today  struct{ AtLeast bool }
	}](w, "/runs")
	if len(list.Runs) != 1 || len(list.Unread) != 1 || !list.Today.AtLeast {
		t.Errorf("the list with a damaged run: %+v", list)
	}
	shown := get[struct {
		ID      string
		Events  []json.RawMessage
		Problem string
	}](w, "/runs/"+run.ID)
	if shown.ID != run.ID || len(shown.Events) != len(lines)-1 || !strings.Contains(shown.Problem, "damaged") {
		t.Errorf("a damaged run is shown with %d of %d events, problem %q", len(shown.Events), len(lines)-1, shown.Problem)
	}
}
