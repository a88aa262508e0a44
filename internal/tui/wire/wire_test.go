package wire

import (
	"context"
	"fmt"
	"testing"

	"sesskeep"
	"sesskeep/internal/board"
	"sesskeep/internal/follow"
)

// TestNeverWaits tells more than anybody fetches: what waits grows with the
// sessions alone.
func TestNeverWaits(t *testing.T) {
	w := New(nil, nil)
	const sessions = 7
	for i := range 100_000 {
		m := follow.Event{Kind: "text", Root: "/h", Key: sesskeep.Key{Session: sesskeep.SessionID(fmt.Sprint(i % sessions))}, File: fmt.Sprint(i % sessions)}
		w.gather(func(n *board.News) { n.Add(&m) })
	}
	got := w.Next(t.Context(), 0)
	if len(got.Sessions) != sessions || got.Lists || got.Missed {
		t.Errorf("got %d sessions, lists %v, missed %v; want %d and no more", len(got.Sessions), got.Lists, got.Missed, sessions)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if msg := w.Next(ctx, 0); msg != nil {
		t.Errorf("got %v after everything was fetched", msg)
	}
}

// TestSurvives holds that a fault while news is gathered leaves the wire
// whole: who comes next must not wait for ever.
func TestSurvives(t *testing.T) {
	w := New(nil, nil)
	func() {
		defer func() { _ = recover() }()
		w.gather(func(*board.News) { panic("made up") })
	}()
	w.gather(func(n *board.News) { n.Lists = true })
	if got := w.Next(t.Context(), 0); !got.Lists {
		t.Error("what was told after it is lost")
	}
}
