package reading_test

import (
	"os"
	"testing"

	"sesskeep/internal/reading"
)

// Turns are counted once: again nothing is read, and of a file that grew only
// the turns that are new. What is counted is what comes.
func TestTally(t *testing.T) {
	disk, store, refs := sessions(t, 1, long(600))
	pool := &reading.Pool{}
	tally := func() (n int, cost int64) {
		s := open(t, pool, store, refs[0])
		span, err := s.Span(reading.Window{})
		if err != nil {
			t.Fatal(err)
		}
		before := disk.bytes.Load()
		counts, err := s.Tally(t.Context(), span.Turns())
		if err != nil {
			t.Fatal(err)
		}
		cost = disk.bytes.Load() - before
		for i, turn := range span.Turns() {
			list, err := s.Messages(t.Context(), turn)
			if err != nil || len(list) != counts[i].Of(nil) {
				t.Fatalf("turn %d has %d messages, counted %d, %v", turn, len(list), counts[i].Of(nil), err)
			}
			n += len(list)
		}
		if users := counts[0].Of([]reading.MessageKind{reading.UserMessage}); users != 1 {
			t.Errorf("the first turn has %d prompts", users)
		}
		return n, cost
	}
	if n, cost := tally(); n != 600 || cost == 0 {
		t.Fatalf("%d messages for %d bytes", n, cost)
	}
	if n, cost := tally(); n != 600 || cost > 0 {
		t.Errorf("again: %d messages for %d bytes", n, cost)
	}
	appendTo(t, store.Path(refs[0].File), talk("p1600<a1599 a1601<p1600"))
	if n, cost := tally(); n != 602 || cost == 0 || cost > 2000 {
		t.Errorf("grown: %d messages for %d bytes", n, cost)
	}
	if err := os.WriteFile(store.Path(refs[0].File), []byte(talk("p1<x a2<p1 p3<a2")), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, cost := tally(); n != 3 || cost == 0 {
		t.Errorf("replaced: %d messages for %d bytes", n, cost)
	}
}

// BenchmarkTally counts a session of 50,000 messages for the first time.
func BenchmarkTally(b *testing.B) {
	_, store, refs := sessions(b, 1, long(50_000))
	for b.Loop() {
		s := open(b, &reading.Pool{}, store, refs[0])
		span, err := s.Span(reading.Window{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Tally(b.Context(), span.Turns()); err != nil {
			b.Fatal(err)
		}
	}
}
