package launch_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"sesskeep/internal/launch"
)

// failing is a run whose turns end as they are told to.
type failing struct {
	t   *testing.T
	m   *launch.Machine
	now time.Time
}

func newFailing(t *testing.T, l launch.Limits) *failing {
	f := &failing{t, nil, time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	f.m = launch.New(l, f.now)
	f.m.Launched(f.now)
	f.receive(`{"type":"system","subtype":"init","session_id":"s","claude_code_version":"2.1.325"}`)
	if err := f.m.Send(f.now, launch.Message{ID: launch.NewID(), Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	f.m.Effects()
	return f
}

func (f *failing) receive(line string) { f.m.Receive(f.now, launch.Decode([]byte(line))) }

func (f *failing) fails(status int) {
	f.receive(fmt.Sprintf(`{"type":"result","subtype":"success","is_error":true,"result":"API Error","api_error_status":%d}`, status))
}

// wait lets the clock go to the next thing that is due, and gives how long that was
// and whether the client was told to go on.
func (f *failing) wait() (after time.Duration, told bool) {
	next := f.m.Next()
	if next.IsZero() {
		return 0, false
	}
	after = next.Sub(f.now)
	f.now = next
	f.m.Tick(f.now)
	for _, e := range f.m.Effects() {
		told = told || e.Kind == launch.Write && bytes.Contains(e.Data, []byte("Continue where you stopped"))
	}
	return after, told
}

// A turn that met an overloaded API is tried again, each time later, and not for ever.
func TestOverload(t *testing.T) {
	f := newFailing(t, launch.Limits{Retries: 3, Quiet: time.Second})
	for i, want := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute} {
		f.fails(529)
		if got := f.m.Status(); got.State != launch.Working || got.Why == "" {
			t.Fatalf("before try %d: %s %q", i+1, got.State, got.Why)
		}
		if after, told := f.wait(); after != want || !told {
			t.Fatalf("try %d after %s, told %v; want %s", i+1, after, told, want)
		}
	}
	if f.fails(529); f.m.State() != launch.YourTurn {
		t.Errorf("after the last try it is %s", f.m.State())
	}
	if err := f.m.Send(f.now, launch.Message{ID: launch.NewID(), Text: "once more"}); err != nil {
		t.Fatal(err)
	}
	if f.fails(500); f.m.State() != launch.Working {
		t.Error("a new message has no tries of its own")
	}
	if f.m.Stop(f.now, launch.Stopped, "enough"); f.m.Status().Why != "stopping: enough" {
		t.Errorf("%+v", f.m.Status())
	}
}

// What is no overload is not tried again, and nothing is unless somebody wants that.
func TestNoOverload(t *testing.T) {
	f := newFailing(t, launch.Limits{Retries: 3})
	if f.fails(401); f.m.State() != launch.YourTurn {
		t.Errorf("a key that is wrong: %s", f.m.State())
	}
	f = newFailing(t, launch.Limits{})
	if f.fails(529); f.m.State() != launch.YourTurn {
		t.Errorf("without retries: %s", f.m.State())
	}
}

// A run goes on when the limit of the plan is reset, if that is wanted.
func TestAfterReset(t *testing.T) {
	for _, wanted := range []bool{true, false} {
		f := newFailing(t, launch.Limits{AfterReset: wanted, Retries: 3, Idle: 0})
		reset := f.now.Add(3 * time.Hour)
		f.receive(fmt.Sprintf(`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d}}`, reset.Unix()))
		f.fails(429)
		after, told := f.wait()
		if wanted && (after != 3*time.Hour+time.Minute || !told) {
			t.Errorf("it goes on after %s, told %v", after, told)
		}
		if !wanted && (after != 0 || f.m.State() != launch.YourTurn) {
			t.Errorf("nobody wanted it: %s, %s", after, f.m.State())
		}
		f.receive(`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}`)
		if f.fails(529); f.m.State() != launch.Working {
			t.Errorf("an overload after the reset: %s", f.m.State())
		}
	}
}
