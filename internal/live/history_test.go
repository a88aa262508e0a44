package live

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sesskeep"
)

// line is what a test compares of an event.
func line(ev Event) string {
	return fmt.Sprint(ev.ID, " ", ev.Kind, " ", ev.Key.Session, " ", ev.Agent, " ", ev.File, " ", ev.From, " ", ev.To, " ", texts(ev),
		" ", ev.State.Word, " ", ev.Was.Word, " ", ev.Next.Session)
}

// until collects events until one of them says text.
func until(t testing.TB, s *Subscription, text string) []Event {
	t.Helper()
	var list []Event
	for {
		ev := next(t, s, Appeared, Lines, Changed, Replaced, Gone, Moved, Touched, Reset)
		list = append(list, ev)
		if ev.Kind == Lines && slices.Contains(strings.Fields(texts(ev)), text) {
			return list
		}
	}
}

// Who continues after an event gets exactly what others got after it.
func TestAfter(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "old"))
	p.write(agentFile(sid1, "x"), says("user", "old"))
	h := p.hub(false)
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	for i := range 20 {
		p.append(mainFile(sid1), says("user", fmt.Sprint("a", i)))
		p.append(agentFile(sid1, "x"), says("assistant", fmt.Sprint("b", i)))
		if i == 10 {
			p.register(71, sid2, "busy")
		}
	}
	p.append(mainFile(sid1), says("user", "end"))
	all := until(t, s, "end")
	for i, ev := range all {
		if want := all[0].ID[:strings.Index(all[0].ID, ".")+1]; !strings.HasPrefix(ev.ID, want) {
			t.Errorf("event %d is %q, want %s…", i, ev.ID, want)
		}
		again := h.Subscribe(Interest{Lines: true, After: ev.ID})
		for _, want := range all[i+1:] {
			if got := next(t, again, Appeared, Lines, Changed, Replaced, Gone, Moved, Reset); line(got) != line(want) {
				t.Fatalf("after %s: got  %s\nwant %s", ev.ID, line(got), line(want))
			}
		}
		again.Close()
	}
}

// Ranges have numbers whether or not anybody wants lines.
func TestNumbersWithoutSubscribers(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "old"))
	h := p.hub(false)
	begin := h.States().ID
	p.append(mainFile(sid1), says("user", "a"))
	for end := time.Now().Add(time.Minute); h.States().ID == begin; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing was numbered")
		}
	}
	s := h.Subscribe(Interest{Lines: true, After: begin})
	defer s.Close()
	if ev := next(t, s, Lines, Reset); texts(ev) != "a" || ev.From != (Position{int64(len(says("user", "old"))), 1}) {
		t.Errorf("got %s", line(ev))
	}
}

// What the Hub does not have gives one Reset, and then the end.
func TestAfterLost(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(mainFile(sid1), "")
	o := p.options()
	h := New(o)
	h.history.most = 40
	run(t, h)
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	p.append(mainFile(sid1), says("user", "first"))
	first := until(t, s, "first")
	for i := range 100 {
		p.append(mainFile(sid1), says("user", fmt.Sprint(i)))
		until(t, s, fmt.Sprint(i))
	}
	last := h.States().ID
	boot, _, _ := strings.Cut(last, ".")
	for _, after := range []string{first[0].ID, "other.1", boot, boot + ".x", boot + ".1000000", boot + ".-1", "." + last} {
		again := h.Subscribe(Interest{Lines: true, After: after})
		ev := next(t, again, Appeared, Lines, Changed, Reset)
		if ev.Kind != Reset || ev.ID != last {
			t.Errorf("after %q: %s", after, line(ev))
		}
		if ev, ok := <-again.Events(); ok {
			t.Errorf("after %q and a Reset: %s", after, line(ev))
		}
	}
	again := h.Subscribe(Interest{Lines: true, After: last})
	defer again.Close()
	p.append(mainFile(sid1), says("user", "more"))
	if ev := next(t, again, Lines, Reset); texts(ev) != "more" {
		t.Errorf("after the last: %s", line(ev))
	}
}

// More than a replay may read is a Reset; for who wants no entries it is none.
func TestAfterLimit(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), "")
	h := p.hub(false)
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	begin := h.States().ID
	big := strings.Repeat("x", 1<<20)
	for i := range replayLimit>>20 + 1 {
		p.append(mainFile(sid1), fmt.Sprintf(`{"type":"user","uuid":"%d","x":"%s"}`+"\n", i, big))
		until(t, s, fmt.Sprint(i))
	}
	again := h.Subscribe(Interest{Lines: true, After: begin})
	defer again.Close()
	if ev := next(t, again, Lines, Reset); ev.Kind != Reset {
		t.Errorf("got %s of %d bytes", ev.Kind, ev.To.Offset-ev.From.Offset)
	}
	other := h.Subscribe(Interest{Sessions: []sesskeep.Key{{Session: sid2}}, Lines: true, After: begin})
	defer other.Close()
	ranges := h.Subscribe(Interest{Ranges: true, After: begin})
	defer ranges.Close()
	for end := int64(0); end < replayLimit; {
		ev := next(t, ranges, Lines, Reset)
		if ev.Kind == Reset || ev.Entries != nil || ev.From.Offset != end {
			t.Fatalf("got %s from %v with %d entries", ev.Kind, ev.From, len(ev.Entries))
		}
		end = ev.To.Offset
	}
	p.write(mainFile(sid2), says("user", "of the other"))
	if ev := next(t, other, Lines, Reset); texts(ev) != "of the other" {
		t.Errorf("who wants another session got %s", line(ev))
	}
}

// A replaced file has no ranges of before, and none is made up.
func TestAfterReplaced(t *testing.T) {
	for _, way := range []string{"rename", "truncate", "remove"} {
		t.Run(way, func(t *testing.T) {
			p := newPlace(t)
			p.write(mainFile(sid1), says("user", "old"))
			h := p.hub(false)
			s := h.Subscribe(Interest{Lines: true})
			defer s.Close()
			begin := h.States().ID
			p.append(mainFile(sid1), says("user", "a"))
			until(t, s, "a")
			switch way {
			case "rename":
				p.write("x", says("user", "b"))
				p.must(os.Rename(p.path("x"), p.path(mainFile(sid1))))
				until(t, s, "b")
			case "truncate":
				p.must(os.Truncate(p.path(mainFile(sid1)), 0))
				next(t, s, Replaced)
				p.append(mainFile(sid1), says("user", "b"))
				until(t, s, "b")
			case "remove":
				p.must(os.Remove(p.path(mainFile(sid1))))
				next(t, s, Gone)
				p.write(mainFile(sid1), says("user", "b"))
				until(t, s, "b")
			}
			again := h.Subscribe(Interest{Lines: true, After: begin})
			defer again.Close()
			over := false
			for _, ev := range until(t, again, "b") {
				over = over || ev.Kind == Replaced || ev.Kind == Gone
				if ev.Kind == Reset || ev.Kind == Lines && (texts(ev) != "b" || !over || ev.From != (Position{})) {
					t.Errorf("got %s", line(ev))
				}
			}
		})
	}
}

// Subscribers share the entries of a range, those too that come late.
func TestSharedEntries(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), "")
	h := p.hub(false)
	begin := h.States().ID
	var subs []*Subscription
	for range 10 {
		s := h.Subscribe(Interest{Lines: true})
		defer s.Close()
		subs = append(subs, s)
	}
	p.append(mainFile(sid1), says("user", "a"))
	var first *sesskeep.Entry
	for i, s := range subs {
		ev := next(t, s, Lines)
		if i == 0 {
			first = &ev.Entries[0]
		}
		if &ev.Entries[0] != first {
			t.Errorf("subscriber %d has entries of its own", i)
		}
	}
	late := h.Subscribe(Interest{Lines: true, After: begin})
	defer late.Close()
	if ev := next(t, late, Lines); &ev.Entries[0] != first {
		t.Error("the late subscriber has entries of its own")
	}
}

// A range is read by one, however many want it at once, and a failure is not
// kept.
func TestCache(t *testing.T) {
	var c cache
	var reads atomic.Int32
	bad := errors.New("bad")
	var group sync.WaitGroup
	gate := make(chan struct{})
	for range 20 {
		group.Go(func() {
			_, _ = c.load(1, func() ([]sesskeep.Entry, error) {
				reads.Add(1)
				<-gate
				return make([]sesskeep.Entry, 1), nil
			})
		})
	}
	for reads.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	close(gate)
	group.Wait()
	if n := reads.Load(); n != 1 {
		t.Errorf("read %d times", n)
	}
	if _, err := c.load(2, func() ([]sesskeep.Entry, error) { return nil, bad }); err != bad {
		t.Errorf("got %v", err)
	}
	if list, err := c.load(2, func() ([]sesskeep.Entry, error) { return make([]sesskeep.Entry, 2), nil }); err != nil || len(list) != 2 {
		t.Errorf("after a failure: %d entries, %v", len(list), err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for n := range uint64(10_000) {
		size := r.IntN(cacheSize / 8)
		c.put(10+n, []sesskeep.Entry{{Raw: zeros[:size]}})
		if c.size > cacheSize || len(c.held) > cacheCount || len(c.order) > 2*cacheCount {
			t.Fatalf("holds %d bytes in %d readings", c.size, len(c.held))
		}
	}
	for n := range uint64(20_000) { // small ones are bounded by number
		c.put(100_000+n, nil)
	}
	if len(c.held) > cacheCount {
		t.Errorf("holds %d readings", len(c.held))
	}
}

var zeros = make([]byte, cacheSize/8)

// The history keeps the latest events, and not many more.
func TestHistoryBounds(t *testing.T) {
	h := newHistory()
	e := &edition{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 3 * maxNotes {
		what := note{edition: e}
		if r.IntN(8) == 0 {
			what = note{event: &Event{}}
		}
		h.add(what)
	}
	if kept := len(h.notes); kept > maxNotes*5/4 || h.whole > maxWhole*5/4 || h.whole < maxWhole {
		t.Errorf("%d are kept, %d of them whole", kept, h.whole)
	}
	h = newHistory()
	for i := range 3 * maxNotes {
		h.add(note{edition: e, from: Position{Line: i}})
	}
	if kept := len(h.notes); kept < maxNotes || kept > maxNotes*5/4 || h.last != 3*maxNotes {
		t.Errorf("%d are kept", kept)
	}
	for _, n := range []uint64{h.first(), h.last - maxNotes + 1, h.last} {
		if got := h.at(n).from.Line; got != int(n)-1 {
			t.Errorf("event %d is that of number %d", n, got+1)
		}
		if next, ok := h.after(h.id(n)); !ok || next != n+1 {
			t.Errorf("after %s comes %d, %v", h.id(n), next, ok)
		}
	}
}

// Who reads the files itself is told where, without the entries.
func TestRanges(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "old"))
	p.register(71, sid1, "busy")
	h := p.hub(false)
	s := h.Subscribe(Interest{Ranges: true})
	defer s.Close()
	quiet := h.Subscribe(Interest{Lines: true})
	defer quiet.Close()
	p.append(mainFile(sid1), says("user", "a"))
	if ev := next(t, s, Lines); ev.Entries != nil || ev.From.Line != 1 || ev.To.Line != 2 {
		t.Errorf("got %s", line(ev))
	}
	p.write(agentFile(sid1, "x"), says("user", "b"))
	p.write(strings.TrimSuffix(agentFile(sid1, "x"), ".jsonl")+".meta.json", `{"agentType":"Explore"}`)
	p.mkdir("projects/-new")
	want := map[string]bool{
		strings.TrimSuffix(agentFile(sid1, "x"), ".jsonl") + ".meta.json": true,
		"projects/-w/" + string(sid1) + "/subagents":                      true,
		"projects/-new": true,
	}
	for len(want) > 0 {
		delete(want, next(t, s, Touched).File)
	}
	p.append(mainFile(sid1), says("user", "end"))
	for _, ev := range until(t, quiet, "end") {
		if ev.Kind == Touched {
			t.Errorf("%s was told to one who did not ask", ev.File)
		}
	}
}
