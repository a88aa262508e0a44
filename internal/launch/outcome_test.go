package launch_test

import (
	"fmt"
	"testing"
	"time"

	"sesskeep/internal/launch"
)

// talk is a run whose messages are answered as they are told to be.
type talk struct {
	t   *testing.T
	m   *launch.Machine
	now time.Time
}

func newTalk(t *testing.T, l launch.Limits) *talk {
	k := &talk{t, nil, time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	k.m = launch.New(l, k.now)
	k.m.Launched(k.now)
	k.receive(`{"type":"control_response","response":{"subtype":"success","request_id":"sesskeep-1"}}`)
	return k
}

func (k *talk) receive(line string) { k.m.Receive(k.now, launch.Decode([]byte(line))) }

func (k *talk) send() string {
	k.t.Helper()
	id := launch.NewID()
	if err := k.m.Send(k.now, launch.Message{ID: id, Text: "hello"}); err != nil {
		k.t.Fatal(err)
	}
	return id
}

// starts lets the client begin with a message.
func (k *talk) starts(id string) {
	k.receive(fmt.Sprintf(`{"type":"command_lifecycle","command_uuid":%q,"state":"started"}`, id))
	k.receive(`{"type":"system","subtype":"init","claude_code_version":"2"}`)
}

func (k *talk) answers(text string, cost float64) {
	k.receive(fmt.Sprintf(`{"type":"result","subtype":"success","result":%q,"total_cost_usd":%v}`, text, cost))
}

const (
	abortedLine = `{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}`
	refusedLine = `{"type":"result","subtype":"success","is_error":true,"result":"API Error","api_error_status":529}`
)

// until lets the clock go on as long as something is due, but not for longer.
func (k *talk) until(span time.Duration) {
	for end := k.now.Add(span); ; {
		next := k.m.Next()
		if next.IsZero() || next.After(end) {
			return
		}
		k.now = next
		k.m.Tick(k.now)
	}
}

// What comes of a message is what came of that message, whatever came before it and
// comes behind it; and the run says the same as the last one.
func TestResponses(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits launch.Limits
		then   func(k *talk)
		want   launch.Response
	}{
		{"answered", launch.Limits{}, func(k *talk) { k.answers("second", 0) }, launch.Response{Text: "second", Outcome: launch.Answered}},
		{"answered, then somebody stops it", launch.Limits{}, func(k *talk) { k.answers("second", 0); k.m.Stop(k.now, launch.Stopped, "enough") },
			launch.Response{Text: "second", Outcome: launch.Answered}},
		{"answered while it is stopped", launch.Limits{}, func(k *talk) { k.m.Stop(k.now, launch.Stopped, "enough"); k.answers("second", 0) },
			launch.Response{Text: "second", Outcome: launch.Answered}},
		{"refused", launch.Limits{}, func(k *talk) { k.receive(refusedLine) }, launch.Response{Outcome: launch.Failed, Error: "API Error (status 529)"}},
		{"tried again", launch.Limits{Retries: 1}, func(k *talk) { k.receive(refusedLine); k.until(time.Hour); k.answers("at last", 0) },
			launch.Response{Text: "at last", Outcome: launch.Answered}},
		{"not tried again: the run ends", launch.Limits{Retries: 1}, func(k *talk) { k.receive(refusedLine); k.m.Stop(k.now, launch.Stopped, "enough") },
			launch.Response{Outcome: launch.Failed, Error: "API Error (status 529)"}},
		{"interrupted", launch.Limits{}, func(k *talk) { _ = k.m.Interrupt(k.now, "x"); k.receive(abortedLine) },
			launch.Response{Outcome: launch.Interrupted, Error: "interrupted"}},
		{"silent, and interrupted", launch.Limits{Quiet: time.Minute}, func(k *talk) { k.until(2 * time.Minute); k.receive(abortedLine) },
			launch.Response{Outcome: launch.Limited, Error: "interrupted: no output for 2m0s"}},
		{"deaf", launch.Limits{Quiet: time.Minute}, func(k *talk) { k.until(time.Hour); k.m.Exited(k.now, launch.Exit{Signal: "killed"}) },
			launch.Response{Outcome: launch.Limited, Error: "no output for 3m0s"}},
		{"too long", launch.Limits{Total: time.Minute}, func(k *talk) { k.until(time.Minute); k.receive(abortedLine); k.m.Exited(k.now, launch.Exit{}) },
			launch.Response{Outcome: launch.Limited, Error: "the time limit of the run is reached"}},
		{"budget", launch.Limits{Budget: 2}, func(k *talk) { k.answers("second", 2) },
			launch.Response{Text: "second", Outcome: launch.Spent, Error: "the budget is spent"}},
		{"budget of the client", launch.Limits{Budget: 2}, func(k *talk) {
			k.receive(`{"type":"result","subtype":"error_max_budget_usd","is_error":true,"total_cost_usd":2}`)
		}, launch.Response{Outcome: launch.Spent, Error: "the budget is spent"}},
		{"budget of the day", launch.Limits{}, func(k *talk) { k.answers("second", 2); k.m.CheckDayBudget(k.now, 2, 2) },
			launch.Response{Text: "second", Outcome: launch.Spent, Error: "the budget of the day is spent"}},
		{"client killed", launch.Limits{}, func(k *talk) { k.m.Exited(k.now, launch.Exit{Signal: "killed"}) },
			launch.Response{Outcome: launch.ClientDied, Error: "claude was ended by the signal killed"}},
		{"client ends", launch.Limits{}, func(k *talk) { k.m.Exited(k.now, launch.Exit{}) },
			launch.Response{Outcome: launch.ClientDied, Error: "claude ended before it answered"}},
		{"no space", launch.Limits{}, func(k *talk) { k.m.Stop(k.now, launch.NoSpace, "full"); k.receive(abortedLine) },
			launch.Response{Outcome: launch.NoSpace, Error: "full"}},
		{"no space for the answer", launch.Limits{}, func(k *talk) { k.m.Stop(k.now, launch.NoSpace, "full"); k.answers("second", 0) },
			launch.Response{Text: "second", Outcome: launch.NoSpace, Error: "full"}},
	} {
		k := newTalk(t, test.limits)
		first := k.send()
		k.starts(first)
		k.answers("first", 0)
		id := k.send()
		if r, ok := k.m.Response(id); ok {
			t.Errorf("%s: %+v before anything came of it", test.name, r)
		}
		k.starts(id)
		test.then(k)
		test.want.Message = id
		got, ok := k.m.Response(id)
		if !ok || got != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.name, got, ok, test.want)
		}
		if s := k.m.Status(); s.Outcome != test.want.Outcome || s.Error != test.want.Error {
			t.Errorf("%s: the run says %q, %q", test.name, s.Outcome, s.Error)
		}
		if r, _ := k.m.Response(first); r.Outcome != launch.Answered || r.Text != "first" {
			t.Errorf("%s: the first message: %+v", test.name, r)
		}
	}
}

// Messages that wait behind each other have the answers of their own turns.
func TestResponsesInOrder(t *testing.T) {
	k := newTalk(t, launch.Limits{})
	one, two := k.send(), k.send()
	k.starts(one)
	k.answers("one", 0)
	if r, ok := k.m.Response(two); ok {
		t.Errorf("the second has the answer of the first: %+v", r)
	}
	k.starts(two)
	k.receive(refusedLine)
	if r, _ := k.m.Response(one); r.Text != "one" || r.Error != "" {
		t.Errorf("the first: %+v", r)
	}
	if r, _ := k.m.Response(two); r.Outcome != launch.Failed {
		t.Errorf("the second: %+v", r)
	}
	if r, ok := k.m.Response("never sent"); !ok || r.Error == "" {
		t.Errorf("one that was never sent: %+v, %v", r, ok)
	}
}
