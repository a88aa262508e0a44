package live

import (
	"testing"
	"time"
)

// A report that a tool ran answers the permission that was asked for it, and no other.
func TestAnsweredReport(t *testing.T) {
	at := func(seconds int) time.Time { return time.Date(2026, 11, 15, 12, 0, seconds, 0, time.UTC) }
	asked := Report{Time: at(0), Event: "PermissionRequest", Session: "s", Agent: "a1", Tool: "Bash", Text: "make"}
	for name, test := range map[string]struct {
		next    Report
		answers bool
	}{
		"the tool ran":         {Report{Event: "PostToolUse", Agent: "a1", Tool: "Bash", Text: "make"}, true},
		"it was denied":        {Report{Event: "PermissionDenied", Agent: "a1", Tool: "Bash", Text: "make"}, true},
		"another call":         {Report{Event: "PostToolUse", Agent: "a1", Tool: "Bash", Text: "ls"}, false},
		"another tool":         {Report{Event: "PostToolUse", Agent: "a1", Tool: "Read", Text: "make"}, false},
		"of the session":       {Report{Event: "PostToolUse", Tool: "Bash", Text: "make"}, false},
		"the agent is done":    {Report{Event: "SubagentStop", Agent: "a1"}, true},
		"another agent is":     {Report{Event: "SubagentStop", Agent: "a2"}, false},
		"the turn is over":     {Report{Event: "Stop"}, true},
		"it asks for the next": {Report{Event: "PermissionRequest", Tool: "Edit", Text: "x.go"}, true},
	} {
		l := newLatest(nil)
		l.add(asked)
		test.next.Time, test.next.Session = at(5), "s"
		l.add(test.next)
		if got := l.Of("/h", "s"); (got.Event != asked.Event || got.Tool != asked.Tool) != test.answers {
			t.Errorf("%s: the latest is %+v", name, got)
		}
	}
}

// A question that a hook reports has its words, whatever their shape.
func TestReportedQuestion(t *testing.T) {
	r, err := ParseReport([]byte(`{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which colour?","options":[]},{"question":"Which size?"}]}}`), time.Now())
	if err != nil || r.waiting() != "question: Which colour? Which size?" {
		t.Errorf("%q, %v", r.waiting(), err)
	}
	for _, input := range []string{`{}`, `{"questions":7}`, `{"questions":[7,{"question":8}]}`} {
		r, err := ParseReport([]byte(`{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"AskUserQuestion","tool_input":`+input+`}`), time.Now())
		if err != nil || r.waiting() != "question" {
			t.Errorf("%s: %q, %v", input, r.waiting(), err)
		}
	}
}
