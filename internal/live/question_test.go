package live

import (
	"testing"
	"time"

	"sesskeep"
	"sesskeep/claudehome"
)

// One question is one alarm, in whatever order and in whatever words it is heard
// of: from the registry, its hook, its line, the reminding hook six seconds later,
// and after the answer, when the result is written before the registry changes.
func TestOneQuestionOneAlarm(t *testing.T) {
	start := time.Date(2026, 11, 15, 1, 20, 6, 0, time.UTC)
	at := func(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }
	status := func(word, what string, since float64) []claudehome.Live {
		return []claudehome.Live{{PID: 874, Alive: true, Status: word, WaitingFor: what, StatusSince: at(since)}}
	}
	asks := func(when float64, command string) Report {
		return Report{Time: at(when), Event: "PermissionRequest", Session: "s", Tool: "Bash", Text: command}
	}
	reminds := func(when float64) Report {
		return Report{Time: at(when), Event: "Notification", Type: "permission_prompt", Session: "s", Text: "Claude needs your permission to use Bash"}
	}
	calls := func(when float64, commands ...string) sesskeep.Standing {
		s := sesskeep.Standing{Turn: sesskeep.MoveModel, Time: at(when), Prompts: 1}
		for _, c := range commands {
			s.Turn = sesskeep.MoveCall
			s.Calls = append(s.Calls, sesskeep.OpenCall{ID: c, Tool: "Bash", Input: `{"command":"` + c + `"}`, Time: at(when)})
		}
		return s
	}
	permission := "permission prompt"
	type step struct {
		standing sesskeep.Standing
		clients  []claudehome.Live
		report   Report // zero: none came
	}
	for name, tt := range map[string]struct {
		steps  []step
		alarms int
		last   string // what it needed an answer for at last
	}{
		"the registry, then the line": {[]step{
			{calls(-1), status("waiting", permission, 0), Report{}},
			{calls(-0.1, "touch a"), status("waiting", permission, 0), Report{}},
		}, 1, "permission: Bash touch a"},
		"the hook, the registry, the reminder": {[]step{
			{calls(-1), status("busy", "", -2), asks(0, "touch a")},
			{calls(-1), status("waiting", permission, 0.1), Report{}},
			{calls(-0.1, "touch a"), status("waiting", permission, 0.1), Report{}},
			{calls(-0.1, "touch a"), status("waiting", permission, 0.1), reminds(6)},
		}, 1, "permission: Bash touch a"},
		"the reminder alone is poorer": {[]step{
			{calls(-0.1, "touch a"), status("waiting", permission, 0), Report{}},
			{calls(-0.1, "touch a"), status("waiting", permission, 0), reminds(6)},
		}, 1, "permission: Bash touch a"},
		"answered, and the registry lags": {[]step{
			{calls(-0.1, "touch a", "touch b"), status("waiting", permission, 0), Report{}},
			{calls(3, "touch b"), status("waiting", permission, 0), Report{}},
			{calls(3), status("waiting", permission, 0), Report{}},
			{calls(3), status("busy", "", 3), Report{}},
		}, 1, "permission: Bash touch b"},
		"the reminder comes after the answer": {[]step{
			{calls(-0.1, "touch a"), status("busy", "", -2), asks(0, "touch a")},
			{calls(-0.1, "touch a"), status("busy", "", 5.9), Report{}},
			{calls(-0.1, "touch a"), status("busy", "", 5.9), reminds(6)},
		}, 1, "permission: Bash touch a"},
		"two questions": {[]step{
			{calls(-0.1, "touch a"), status("waiting", permission, 0), Report{}},
			{calls(5, "touch a"), status("waiting", permission, 6), Report{}},
		}, 2, "permission: Bash touch a"},
		"two questions, as hooks tell": {[]step{
			{calls(-0.1, "touch a", "touch b"), status("waiting", permission, 0.1), asks(0, "touch a")},
			{calls(-0.1, "touch a", "touch b"), status("waiting", permission, 0.1), asks(4, "touch b")},
		}, 2, "permission: Bash touch b"},
	} {
		var was State
		var waiting string
		alarms := 0
		reports := newLatest(nil)
		for _, s := range tt.steps {
			if s.report.Event != "" {
				reports.add(s.report)
			}
			now := Judge(Facts{Now: at(20), Standing: s.standing, Clients: s.clients, Report: reports.Of("", "s"), Written: s.standing.Time}).after(was)
			if now.Word == NeedsYou {
				waiting = now.Waiting
				if !now.Repeats(was) {
					alarms++
				}
			}
			was = now
		}
		if alarms != tt.alarms || waiting != tt.last {
			t.Errorf("%s: %d alarms, at last for %q; want %d, %q", name, alarms, waiting, tt.alarms, tt.last)
		}
	}
}
