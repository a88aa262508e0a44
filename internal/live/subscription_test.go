package live

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sesskeep"
)

// A subscriber that does not read holds nobody up. If what it needs is not kept
// any more, it gets some events, one Reset and the end of the channel, and from
// its own position it misses nothing.
func TestSlowSubscriber(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(mainFile(sid1), "")
	o := p.options()
	o.Poll = true
	h := New(o)
	h.pace = quick
	h.history.most = 3 * batchSize
	run(t, h)
	slow := h.Subscribe(Interest{Lines: true})
	defer slow.Close()
	swift := h.Subscribe(Interest{Lines: true})
	defer swift.Close()

	var want, got []string
	var at Position
	for i := range 10 * batchSize {
		p.append(mainFile(sid1), says("user", fmt.Sprint(i)))
		want = append(want, fmt.Sprint(i))
		if ev := next(t, swift, Lines); texts(ev) != fmt.Sprint(i) {
			t.Fatalf("the swift one got %q, want %d", texts(ev), i)
		}
	}
	resets := 0
	for ev := range slow.Events() {
		if resets > 0 {
			t.Errorf("%s after a Reset", ev.Kind)
		}
		switch ev.Kind {
		case Lines:
			got, at = append(got, texts(ev)), ev.To
		case Reset:
			resets++
		}
	}
	if resets != 1 || len(got) == len(want) {
		t.Fatalf("%d resets after %d events", resets, len(got))
	}
	again := h.Subscribe(Interest{Lines: true, Since: map[File]Position{{p.root, mainFile(sid1)}: at}})
	defer again.Close()
	for len(got) < len(want) {
		ev := next(t, again, Lines)
		if ev.From != at {
			t.Fatalf("goes on at %v, want %v", ev.From, at)
		}
		got, at = append(got, strings.Fields(texts(ev))...), ev.To
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// What waits for a slow subscriber is not in memory: it gets all of it from the
// file.
func TestSlowGetsAll(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), "")
	h := p.hub(true)
	slow := h.Subscribe(Interest{Lines: true})
	defer slow.Close()
	swift := h.Subscribe(Interest{Lines: true})
	defer swift.Close()
	const lines = 4 * cacheSize >> 20
	big := strings.Repeat("x", 1<<20)
	for i := range lines {
		p.append(mainFile(sid1), fmt.Sprintf(`{"type":"user","uuid":"%d","x":"%s"}`+"\n", i, big))
		next(t, swift, Lines)
	}
	h.cache.mu.Lock()
	held := h.cache.size
	h.cache.mu.Unlock()
	if held > cacheSize {
		t.Errorf("%d MiB are held", held>>20)
	}
	for i := range lines {
		if ev := next(t, slow, Lines, Reset); texts(ev) != fmt.Sprint(i) {
			t.Fatalf("got %s %q, want %d", ev.Kind, texts(ev), i)
		}
	}
}

// From any position, while the file is written, the entries come once each.
func TestSince(t *testing.T) {
	for mode, poll := range modes {
		t.Run(mode, func(t *testing.T) {
			p := newPlace(t)
			all := ""
			for i := range 50 {
				all += says("user", fmt.Sprint(i))
			}
			p.write(mainFile(sid1), all)
			h := p.hub(poll)
			for start := 0; start <= 50; start += 10 {
				at := Position{int64(len(strings.Join(strings.SplitAfter(all, "\n")[:start], ""))), start}
				s := h.Subscribe(Interest{Lines: true, Since: map[File]Position{{p.root, mainFile(sid1)}: at}})
				more := fmt.Sprintf("more%d", start)
				p.append(mainFile(sid1), says("user", more))
				var got []string
				for !slices.Contains(got, more) {
					ev := next(t, s, Lines, Replaced)
					if ev.Kind == Replaced || ev.From != at {
						t.Fatalf("%s from %v, want %v", ev.Kind, ev.From, at)
					}
					got, at = append(got, strings.Fields(texts(ev))...), ev.To
				}
				if want := 50 - start + start/10 + 1; len(got) != want || at.Line != 50+start/10+1 {
					t.Errorf("from line %d: %d entries, want %d; then at %v", start, len(got), want, at)
				}
				s.Close()
			}
		})
	}
}

// A position that the file no longer has gives the whole file.
func TestSinceLost(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "a")+says("user", "b"))
	h := p.hub(false)
	for _, at := range []Position{{Offset: 1 << 30, Line: 9}, {Offset: 7, Line: 1}} {
		s := h.Subscribe(Interest{Lines: true, Since: map[File]Position{{p.root, mainFile(sid1)}: at}})
		next(t, s, Replaced)
		if ev := next(t, s, Lines); texts(ev) != "a b" || ev.From != (Position{}) {
			t.Errorf("since %v: got %q from %v", at, texts(ev), ev.From)
		}
		s.Close()
	}
	s := h.Subscribe(Interest{Lines: true, Since: map[File]Position{{p.root, mainFile(sid2)}: {Offset: 5, Line: 1}}})
	defer s.Close()
	if ev := next(t, s, Gone); ev.File != mainFile(sid2) {
		t.Errorf("%s is gone", ev.File)
	}
}

// Once a subscription began, a file that is rewritten is noticed, whatever its
// size is.
func TestBegan(t *testing.T) {
	for range 20 {
		p := newPlace(t)
		p.write(mainFile(sid1), says("user", "a"))
		old := time.Now().Add(-time.Minute) // in another tick of the file system's clock
		p.must(os.Chtimes(p.path(mainFile(sid1)), old, old))
		h := p.hub(false)
		at := Position{int64(len(says("user", "a"))), 1}
		s := h.Subscribe(Interest{Lines: true, Since: map[File]Position{{p.root, mainFile(sid1)}: at}})
		<-s.Began()
		p.write(mainFile(sid1), says("user", "b"))
		next(t, s, Replaced)
		if ev := next(t, s, Lines); texts(ev) != "b" {
			t.Errorf("got %q", texts(ev))
		}
		s.Close()
	}
}

// A large file comes in events of bounded size at the reader's pace.
func TestLargeReplay(t *testing.T) {
	p := newPlace(t)
	var all strings.Builder
	const lines = 40
	for i := range lines {
		fmt.Fprintf(&all, `{"type":"user","uuid":"%d","x":"%s"}`+"\n", i, strings.Repeat("x", 600<<10))
	}
	p.write(mainFile(sid1), all.String())
	h := p.hub(false)
	s := h.Subscribe(Interest{Lines: true, Since: map[File]Position{{p.root, mainFile(sid1)}: {}}})
	defer s.Close()
	for n := 0; n < lines; {
		ev := next(t, s, Lines, Reset)
		if size := ev.To.Offset - ev.From.Offset; ev.Kind == Reset || size > 2*eventSize {
			t.Fatalf("%s of %d bytes", ev.Kind, size)
		}
		n += len(ev.Entries)
	}
}

// Records that are glued into one line come in one event, however large: a
// position between them would be no start of a line.
func TestGluedLine(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), "")
	h := p.hub(false)
	live := h.Subscribe(Interest{Lines: true})
	defer live.Close()
	p.append(mainFile(sid1), fmt.Sprintf(`{"type":"user","uuid":"a","x":"%s"}{"type":"user","uuid":"b"}`+"\n"+`{"type":"user","uuid":"c"}`+"\n", strings.Repeat("x", eventSize)))
	again := h.Subscribe(Interest{Lines: true, Since: map[File]Position{{p.root, mainFile(sid1)}: {}}})
	defer again.Close()
	for _, s := range []*Subscription{live, again} {
		if first, second := next(t, s, Lines), next(t, s, Lines); texts(first) != "a b" || texts(second) != "c" || second.From != first.To {
			t.Errorf("got %q, then %q from %v", texts(first), texts(second), second.From)
		}
	}
}

// Events are only those that were asked for.
func TestInterest(t *testing.T) {
	p := newPlace(t)
	h := p.hub(false)
	one := h.Subscribe(Interest{Sessions: []sesskeep.Key{{Session: sid2}}, Lines: true})
	defer one.Close()
	life := h.Subscribe(Interest{})
	defer life.Close()
	p.write(mainFile(sid1), says("user", "a"))
	next(t, life, Appeared)
	p.write(mainFile(sid2), says("user", "b"))
	if ev := next(t, one, Appeared, Lines, Changed); ev.Key.Session != sid2 {
		t.Errorf("got %s of %s", ev.Kind, ev.Key.Session)
	}
	if ev := next(t, life, Appeared, Lines); ev.Kind == Lines {
		t.Error("entries for one who wants none")
	}
}

// Channels are closed in every order of things.
func TestEnds(t *testing.T) {
	p := newPlace(t)
	h := New(p.options())
	early, dropped := h.Subscribe(Interest{}), h.Subscribe(Interest{})
	dropped.Close()
	dropped.Close()
	for range dropped.Events() {
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.Run(ctx) }()
	<-h.Ready()
	closed := h.Subscribe(Interest{Lines: true})
	closed.Close()
	for range closed.Events() {
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for range early.Events() {
	}
	for range h.Subscribe(Interest{}).Events() {
	}
	early.Close()
	if err := h.Run(context.Background()); err == nil {
		t.Error("it ran twice")
	}
}

// An appended line is told when it comes, by a Hub that does not look by itself. How
// soon is measured, not held: on a busy machine everything is late.
func TestLatency(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(mainFile(sid1), says("user", "start"))
	h := p.unswept()
	s := h.Subscribe(Interest{Lines: true})
	defer s.Close()
	var took []time.Duration
	for i := range 100 {
		start := time.Now()
		p.append(mainFile(sid1), says("user", fmt.Sprint(i)))
		next(t, s, Lines)
		took = append(took, time.Since(start))
		time.Sleep(time.Duration(i%15) * time.Millisecond)
	}
	slices.Sort(took)
	t.Logf("p50 %v, p99 %v", took[len(took)/2], took[len(took)*99/100])
}

// Positions in files of the same name in two homes are not mixed up.
func TestSinceOfTwoHomes(t *testing.T) {
	a, b := newPlace(t), newPlace(t)
	first := says("user", "a")
	a.write(mainFile(sid1), first+says("user", "b"))
	b.write(mainFile(sid1), first+says("user", "c"))
	o := a.options()
	o.Stores = append(o.Stores, b.options().Stores...)
	h := run(t, New(o))
	s := h.Subscribe(Interest{Lines: true, Since: map[File]Position{
		{a.root, mainFile(sid1)}: {Offset: int64(len(first)), Line: 1},
		{b.root, mainFile(sid1)}: {},
	}})
	defer s.Close()
	got := map[string]string{}
	for len(got) < 2 {
		ev := next(t, s, Lines)
		got[ev.Root] = texts(ev)
	}
	if got[a.root] != "b" || got[b.root] != "a c" {
		t.Errorf("got %q and %q", got[a.root], got[b.root])
	}
}

// A subscriber that asks for one file gets what happens to that, and nothing else.
func TestInterestFiles(t *testing.T) {
	p := newPlace(t)
	p.write(mainFile(sid1), "")
	p.write(mainFile(sid2), "")
	h := p.hub(false)
	s := h.Subscribe(Interest{Lines: true, Files: []File{{p.root, mainFile(sid1)}}})
	defer s.Close()
	for i := range 3 {
		p.append(mainFile(sid2), says("user", fmt.Sprint("other ", i)))
		p.write(agentFile(sid1, fmt.Sprint("a", i)), says("user", fmt.Sprint("agent ", i)))
		p.append(mainFile(sid1), says("user", fmt.Sprint("own ", i)))
		for ev := range s.Events() {
			if ev.File != mainFile(sid1) {
				t.Fatalf("%s of %s", ev.Kind, ev.File)
			}
			if ev.Kind == Lines {
				if got := texts(ev); got != fmt.Sprint("own ", i) {
					t.Fatalf("got %q", got)
				}
				break
			}
		}
	}
}
