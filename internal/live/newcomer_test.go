package live

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"sesskeep"
)

// knows waits until the loop of a Hub knows a session, told of or not.
func knows(t *testing.T, h *Hub, id sesskeep.SessionID) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		found := make(chan bool, 1)
		h.ask(func(l *loop) { found <- l.homes[0].sessions[id] != nil })
		if <-found {
			return
		}
	}
	t.Fatalf("%s is not known", id)
}

// With --continue a client (2.1.325) is in a session of its own for a moment. That
// one never was: it is not told of, nor that the client moved.
func TestContinued(t *testing.T) {
	p := newPlace(t)
	p.mkdir("sessions")
	p.write(mainFile(sid1), says("user", "q")+says("assistant", "a"))
	h := New(p.options())
	h.pace = quick
	h.pace.fresh = time.Hour
	run(t, h)
	s := h.Subscribe(Interest{})
	defer s.Close()
	p.register(71, sid2, "idle")
	knows(t, h, sid2)
	if list := h.Sessions(); len(list) != 0 {
		t.Errorf("%+v is known", list)
	}
	p.register(71, sid1, "busy")
	if ev := next(t, s, Appeared, Changed, Moved); ev.Key.Session != sid1 || ev.Kind != Changed || ev.State.Word != Working {
		t.Errorf("told %+v", ev)
	}
}

// A client that starts is told of when it settled, and at once when it works.
func TestSettled(t *testing.T) {
	p := newPlace(t)
	p.mkdir("sessions")
	h := New(p.options())
	h.pace = quick
	h.pace.fresh = time.Hour
	run(t, h)
	s := h.Subscribe(Interest{})
	defer s.Close()
	p.register(71, sid1, "idle")
	knows(t, h, sid1)
	p.register(71, sid1, "busy")
	if ev := next(t, s, Appeared, Changed, Moved); ev.Key.Session != sid1 || ev.Kind != Appeared || ev.State.Word != Working {
		t.Errorf("told %+v", ev)
	}
}

// A client that is started with a prompt (2.1.325) registers without a status, is idle for a
// moment, and then busy: it is reported as working. One that says nothing is reported in the end.
func TestStartedWithPrompt(t *testing.T) {
	p := newPlace(t)
	p.mkdir("sessions")
	h := New(p.options())
	h.pace = quick
	h.pace.fresh = time.Hour
	run(t, h)
	s := h.Subscribe(Interest{})
	defer s.Close()
	starts := func(pid int, id sesskeep.SessionID, rest string) {
		t.Helper()
		p.write(fmt.Sprintf("sessions/%d.json", pid), fmt.Sprintf(
			`{"pid":%d,"sessionId":%q,"procStart":"7","kind":"interactive","version":"2.1.325","startedAt":%d%s}`, pid, id, time.Now().UnixMilli(), rest))
	}
	wait := func() { h.ask((*loop).announceFresh) }
	status := func(word string) string {
		return fmt.Sprintf(`,"status":%q,"statusUpdatedAt":%d`, word, time.Now().UnixMilli())
	}
	starts(71, sid1, "")
	knows(t, h, sid1)
	wait()
	starts(71, sid1, status("idle"))
	wait()
	starts(71, sid1, status("busy"))
	if ev := next(t, s, Appeared, Changed); ev.Kind != Appeared || ev.State.Word != Working {
		t.Errorf("published %+v", ev)
	}
	becomes(t, s, sid1, Working)
	starts(72, sid2, "")
	knows(t, h, sid2)
	for range maxDelays {
		wait()
	}
	if ev := next(t, s, Appeared, Changed); ev.Key.Session != sid2 || ev.Kind != Appeared || ev.State.Word != Idle {
		t.Errorf("published %+v", ev)
	}
}

// At its end -p (2.1.325) takes its registry file away, writes it once more, with
// the status idle, and takes it away again. It ended once.
func TestEndedOnce(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "q")+says("assistant", "a"))
	p.register(71, sid1, "busy")
	h := p.hub(false)
	s := h.Subscribe(Interest{})
	defer s.Close()
	leave := func() { p.must(os.Remove(p.path("sessions/71.json"))) }
	leave()
	if ev := next(t, s, Changed); ev.State.Word != Ended {
		t.Fatalf("told %+v", ev)
	}
	p.register(71, sid1, "idle")
	p.register(72, sid2, "busy") // is told of after it
	if ev := next(t, s, Appeared, Changed); ev.Key.Session != sid2 {
		t.Errorf("told %+v", ev)
	}
	becomes(t, s, sid2, Working)
	leave()
	p.register(71, sid1, "busy") // it was not the end
	if ev := next(t, s, Changed); ev.Key.Session != sid1 || ev.State.Word != Working {
		t.Errorf("told %+v", ev)
	}
}

// A transcript can be there a moment before anybody is known to run it: that of a
// /branch (2.1.325), and that of a client that does not register (2.0.76, 1.0.128).
// What it does is told when something was said in it, or a client found.
func TestNothingSaidYet(t *testing.T) {
	p := newPlace(t)
	h := p.unswept()
	s := h.Subscribe(Interest{})
	defer s.Close()
	p.write(mainFile(sid1), `{"type":"mode","mode":"normal","sessionId":"`+string(sid1)+`"}`+"\n")
	if ev := next(t, s, Appeared, Changed); ev.Kind != Appeared {
		t.Fatalf("told %+v", ev)
	}
	p.register(71, sid1, "idle")
	if ev := next(t, s, Appeared, Changed); ev.Key.Session != sid1 || ev.State.Word != Idle {
		t.Errorf("told %+v", ev)
	}
	// where nobody comes, it is told all the same
	p.write(mainFile(sid2), `{"type":"mode","mode":"normal","sessionId":"`+string(sid2)+`"}`+"\n")
	next(t, s, Appeared)
	for range 2 {
		h.ask(func(l *loop) { l.sweep() })
	}
	if ev := next(t, s, Changed); ev.Key.Session != sid2 || ev.State.Word != Ended {
		t.Errorf("told %+v", ev)
	}
}

// A session appears once: its client starts, and later writes its transcript. What the
// session does comes as a state each time, also when the transcript comes together with
// a new status.
func TestAppearsOnce(t *testing.T) {
	p := newPlace(t)
	p.mkdir("sessions")
	p.write(mainFile(sid2), says("user", "q")+says("assistant", "a")) // so that the folder is known
	h := p.hub(false)
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	p.register(71, sid1, "idle")
	if ev := next(t, s, Appeared, Changed); ev.Kind != Appeared || ev.Key.Session != sid1 {
		t.Fatalf("published %+v", ev)
	}
	if ev := next(t, s, Appeared, Changed); ev.Kind != Changed || ev.State.Word != Idle {
		t.Fatalf("published %+v", ev)
	}
	done := make(chan struct{})
	h.ask(func(l *loop) { // the loop meets both at once
		p.register(71, sid1, "busy")
		p.write(mainFile(sid1), says("user", "q"))
		home := l.homes[0]
		home.due.registry = true
		home.due.folders[sesskeep.ProjectKey(strings.Split(mainFile(sid1), "/")[1])] = true
		home.work()
		close(done)
	})
	<-done
	if ev := next(t, s, Appeared, Lines); ev.Kind != Lines || ev.File != mainFile(sid1) {
		t.Errorf("published %+v", ev)
	}
	if ev := next(t, s, Appeared, Changed); ev.Kind != Changed || ev.State.Word != Working || ev.Was.Word != Idle {
		t.Errorf("published %+v", ev)
	}
	p.must(os.Remove(p.path(mainFile(sid1)))) // and one that comes back is new
	next(t, s, Gone)
	p.write(mainFile(sid1), says("user", "q"))
	if ev := next(t, s, Appeared); ev.Key.Session != sid1 || ev.File == "" {
		t.Errorf("published %+v", ev)
	}
}
