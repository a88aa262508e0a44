package live

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"sesskeep"
	"sesskeep/internal/storetest"
)

// TestUnreadableIsNotGone makes directories unreadable and readable again: what is known of
// their sessions stays meanwhile, and what is written next is noticed.
func TestUnreadableIsNotGone(t *testing.T) {
	if !storetest.AsPlain(t) {
		return
	}
	p := newPlace(t)
	const id, late = "aaaaaaaa-0000-4000-8000-000000000000", "bbbbbbbb-0000-4000-8000-000000000000"
	p.write(mainFile(id), says("user", "q"))
	p.register(os.Getpid(), id, "busy")
	o := p.options()
	o.Poll = true
	hub := New(o)
	l := newLoop(context.Background(), hub)
	defer l.close()
	l.start()
	look := func() {
		t.Helper()
		for range 2 { // what was just read rests once
			l.sweepAll()
			for range hub.pace.far {
				l.sweep()
			}
			l.work()
			l.wakeRested()
		}
	}
	chmod := func(dir string, mode os.FileMode) { p.must(os.Chmod(p.path(dir), mode)) }
	session := func(id sesskeep.SessionID) Session {
		s, _ := hub.Session(l.homes[0].store.SessionKey(id))
		return s
	}
	look()
	was := session(id)
	if was.Standing.Prompts != 1 {
		t.Fatalf("it begins as %+v", was)
	}
	for _, dir := range []string{"projects/-w", "projects"} {
		chmod(dir, 0)
		look()
		if now := session(id); now.Standing.Prompts != was.Standing.Prompts || now.File != was.File {
			t.Errorf("%s cannot be read, and the session is %+v", dir, now)
		}
		chmod(dir, 0o755)
		look()
		if now := session(id); now.Standing.Prompts != was.Standing.Prompts || now.At != was.At {
			t.Errorf("%s can be read again, and the session is %+v, not %+v", dir, now, was)
		}
	}
	p.append(mainFile(id), says("assistant", "a"))
	p.write(mainFile(late), says("user", "q"))
	chmod(filepath.Dir(mainFile(id)), 0)
	look()
	chmod(filepath.Dir(mainFile(id)), 0o755)
	hub.Sweep()
	l.answer()
	l.work()
	if now := session(id); now.At == was.At {
		t.Errorf("what was written meanwhile is not noticed: %+v", now)
	}
	if now := session(late); now.Standing.Prompts != 1 {
		t.Errorf("a session that came meanwhile is not noticed: %+v", now)
	}
}
