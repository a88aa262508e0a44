package live

import (
	"os"
	"sync"
	"testing"
	"time"
)

// ends is a machine on which one process runs, whose end is told.
type ends struct {
	mu    sync.Mutex
	dead  bool
	gone  func()
	waits int
}

func (e *ends) alive(int, string, string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.dead
}

func (e *ends) onExit(_ int, gone func()) (stop func(), ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gone = gone
	e.waits++
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.waits--
	}, true
}

func (e *ends) kill() {
	e.mu.Lock()
	e.dead = true
	gone := e.gone
	e.mu.Unlock()
	gone()
}

// A client that is killed is noticed when it ends, without a sweep; and a Hub that has
// ended waits for nobody.
func TestKilledAtOnce(t *testing.T) {
	p, e := newPlace(t), &ends{}
	p.append(mainFile(sid1), says("user", "1"))
	p.register(71, sid1, "busy")
	o := p.options()
	o.Alive, o.OnExit = e.alive, e.onExit
	h := New(o)
	h.pace = quick
	h.pace.live = time.Hour
	t.Run("killed", func(t *testing.T) {
		run(t, h)
		key := o.Stores[0].SessionKey(sid1)
		is := func(word Word) {
			t.Helper()
			for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
				s, _ := h.Session(key)
				if s.State.Word == word {
					return
				}
				if time.Now().After(end) {
					t.Fatalf("it is %s, want %s", s.State.Word, word)
				}
			}
		}
		is(Working)
		e.kill()
		is(Unclean)
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.waits != 0 {
		t.Errorf("%d are waited for after the end", e.waits)
	}
}

// A client that ends in order takes its registry file away first. That its process is gone can
// be noticed before: the session has ended all the same, and was not cut off.
func TestEndedInOrder(t *testing.T) {
	p, e := newPlace(t), &ends{}
	p.append(mainFile(sid1), says("user", "1"))
	p.register(71, sid1, "busy")
	o := p.options()
	o.Alive, o.OnExit = e.alive, e.onExit
	h := New(o)
	h.pace = quick
	h.pace.live = time.Hour
	run(t, h)
	s := h.Subscribe(Interest{})
	defer s.Close()
	ended := make(chan struct{})
	h.ask(func(l *loop) { // before the loop receives what changed
		p.append(mainFile(sid1), says("assistant", "2"))
		p.must(os.Remove(p.path("sessions/71.json")))
		e.mu.Lock()
		e.dead = true
		e.mu.Unlock()
		l.homes[0].clients.exited()
		close(ended)
	})
	<-ended
	if ev := next(t, s, Changed); ev.State.Word != Ended {
		t.Errorf("published %+v", ev)
	}
}
