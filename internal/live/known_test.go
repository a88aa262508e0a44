package live

import (
	"fmt"
	"os"
	"testing"
	"time"

	"sesskeep"
	"sesskeep/homefs"
)

// readTo is what somebody knows who read so many lines of a file; -1: all.
func (p *place) readTo(name string, lines int) Known {
	p.t.Helper()
	tail, err := p.options().Stores[0].Tail(name, homefs.Mark{})
	p.must(err)
	defer tail.Close()
	var k Known
	for n := 0; n != lines; n++ {
		e, ok := tail.Next()
		if !ok {
			break
		}
		k.Standing.Add(e)
	}
	k.Mark, err = tail.Mark()
	p.must(err)
	return k
}

// readUpTo waits until a Hub has judged a session by so many lines.
func readUpTo(t *testing.T, h *Hub, k sesskeep.Key, lines int) Session {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		s, _ := h.Session(k)
		if s.At.Line == lines {
			return s
		}
		if time.Now().After(end) {
			t.Fatalf("read up to %v, want line %d", s.At, lines)
		}
	}
}

// A file that the caller knows is read from there, and says what it says to a
// Hub that read all of it.
func TestKnown(t *testing.T) {
	const lines = 10
	for _, read := range []int{0, 5, lines, -1} {
		for _, torn := range []string{"", `{"type":"user","uuid":"to`} {
			t.Run(fmt.Sprint(read, torn != ""), func(t *testing.T) {
				p := newPlace(t)
				for i := range lines {
					p.append(mainFile(sid1), says("user", fmt.Sprint(i)))
				}
				known := p.readTo(mainFile(sid1), read)
				known.Standing.Prompts += 1000 // shows that it is gone on from
				p.append(mainFile(sid1), torn)
				o := p.options()
				plain := run(t, New(o))
				o.Known = func(file File) (Known, bool) {
					if file != (File{p.root, mainFile(sid1)}) {
						t.Errorf("asked for %v", file)
					}
					return known, true
				}
				h := run(t, New(o))
				var subs []*Subscription
				for _, h := range []*Hub{plain, h} {
					s := h.Subscribe(Interest{Lines: true})
					defer s.Close()
					subs = append(subs, s)
				}
				if torn != "" {
					p.append(mainFile(sid1), `rn"}`+"\n")
				}
				p.append(mainFile(sid1), says("user", "end"))
				var got [2][]Event
				for i, s := range subs {
					for _, ev := range until(t, s, "end") {
						if ev.Kind == Lines {
							got[i] = append(got[i], ev)
						}
					}
				}
				if a, b := got[0][0].From, got[1][0].From; a != b || a.Line != lines {
					t.Errorf("told from %v, want %v", b, a)
				}
				end := got[0][len(got[0])-1].To.Line
				want, session := readUpTo(t, plain, sesskeep.Key{Session: sid1}, end), readUpTo(t, h, sesskeep.Key{Session: sid1}, end)
				if session.Standing.Prompts != want.Standing.Prompts+1000 || session.From != want.From || session.At != want.At {
					t.Errorf("got %+v from %v to %v, want %+v from %v to %v",
						session.Standing, session.From, session.At, want.Standing, want.From, want.At)
				}
			})
		}
	}
}

// Nothing is read of a file that is as the caller knows it.
func TestKnownUnchanged(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "a")+says("assistant", "b")+`{"type":"user","uuid":"to`)
	known := p.readTo(mainFile(sid1), -1)
	known.Standing.Prompts = 1000
	p.register(71, sid1, "idle")
	o := p.options()
	o.Known = func(File) (Known, bool) { return known, true }
	h := run(t, New(o))
	s, _ := h.Session(sesskeep.Key{Session: sid1})
	if want := (Position{known.Mark.Offset, 2}); s.State.Word != YourTurn || s.Standing.Prompts != 1000 || s.From != want || s.At != want {
		t.Errorf("got %v, %d prompts, from %v to %v", s.State, s.Standing.Prompts, s.From, s.At)
	}
}

// What the caller knows of another file, or of one that is replaced later, is
// not believed.
func TestKnownWrong(t *testing.T) {
	for _, when := range []string{"before", "after", "shorter"} {
		t.Run(when, func(t *testing.T) {
			p := newPlace(t)
			p.write(mainFile(sid1), says("user", "a")+says("user", "b")+says("user", "c"))
			known := p.readTo(mainFile(sid1), 1)
			known.Standing.Prompts += 1000
			replace := func() {
				p.write("x", says("user", "d")+says("user", "e")+says("user", "f"))
				p.must(os.Rename(p.path("x"), p.path(mainFile(sid1))))
			}
			if when == "before" {
				replace()
			}
			o := p.options()
			o.Known = func(File) (Known, bool) { return known, true }
			h := run(t, New(o))
			s := h.Subscribe(Interest{Lines: true})
			defer s.Close()
			prompts := 4
			switch when {
			case "after":
				replace()
				next(t, s, Replaced)
			case "shorter": // the Mark still fits
				p.must(os.Truncate(p.path(mainFile(sid1)), int64(len(says("user", "a")+says("user", "b")))))
				next(t, s, Replaced)
				prompts = 3
			}
			p.append(mainFile(sid1), says("user", "end"))
			until(t, s, "end")
			if got := readUpTo(t, h, sesskeep.Key{Session: sid1}, prompts); got.Standing.Prompts != prompts {
				t.Errorf("%d prompts, want %d", got.Standing.Prompts, prompts)
			}
		})
	}
}

// A session that did not change is in the map once somebody asks for it, and
// that is no news.
func TestConsider(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "q"))
	h := p.hub(false)
	s := h.Subscribe(Interest{})
	defer s.Close()
	if _, ok := h.State(sesskeep.Key{Session: sid1}); ok {
		t.Fatal("it is known already")
	}
	h.Consider(sesskeep.Key{Session: sid1}, sesskeep.Key{Session: sid2}, sesskeep.Key{Session: sid1, Home: "elsewhere"})
	becomes(t, s, sid1, Working) // it is young and nobody registered
	old := h.States()
	if state, ok := old.Of(sesskeep.Key{Session: sid1}); !ok || state.Word != Working || old.Len() != 1 {
		t.Errorf("%d sessions, %v", old.Len(), state)
	}
	p.register(71, sid1, "idle")
	becomes(t, s, sid1, YourTurn)
	if state, _ := old.Of(sesskeep.Key{Session: sid1}); state.Word != Working {
		t.Errorf("a snapshot changed to %v", state)
	}
}

// Who considers a session that rests is not told so.
func TestConsiderResting(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "q"))
	old := time.Now().Add(-time.Minute)
	p.must(os.Chtimes(p.path(mainFile(sid1)), old, old))
	h := p.hub(false)
	s := h.Subscribe(Interest{})
	defer s.Close()
	h.Consider(sesskeep.Key{Session: sid1})
	p.write(mainFile(sid2), says("user", "q"))
	for {
		ev := next(t, s, Appeared, Changed)
		if ev.Key.Session == sid1 {
			t.Errorf("got %s %v", ev.Kind, ev.State)
		}
		if ev.Key.Session == sid2 && ev.Kind == Changed {
			break
		}
	}
	if state, _ := h.State(sesskeep.Key{Session: sid1}); state.Word != Ended && state.Word != Unclean {
		t.Errorf("it is %v", state)
	}
}

// A file that was rewritten is Replaced, even if the caller has read the new content
// before the Hub has: a walk of the index can be first.
func TestKnownRewritten(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "one")+says("assistant", "two")+says("user", "three"))
	o := p.options()
	o.Known = func(File) (Known, bool) { return p.readTo(mainFile(sid1), -1), true }
	h := run(t, New(o))
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	p.write(mainFile(sid1), says("user", "new"))
	next(t, s, Replaced)
	if ev := next(t, s, Lines); texts(ev) != "new" || ev.From != (Position{}) {
		t.Errorf("got %q from %v", texts(ev), ev.From)
	}
}
