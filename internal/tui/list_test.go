package tui

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
)

// TestListWindow holds that the chosen row is always on the screen, and that no
// line is left empty while there are rows.
func TestListWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l list
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "resize") {
				l.resize(rapid.IntRange(0, 50).Draw(t, "rows"))
			}
			l.do(rapid.SampledFrom(moves).Draw(t, "move"))
			height := rapid.IntRange(0, 20).Draw(t, "height")
			chosen := 0
			lines := l.view(height, func(i int, here bool) string {
				if here {
					chosen++
				}
				return ""
			})
			if want := min(l.len, height); len(lines) != want {
				t.Fatalf("%d lines, want %d of %d rows in %d", len(lines), want, l.len, height)
			}
			if want := min(1, len(lines)); chosen != want {
				t.Fatalf("row %d of %d: %d chosen rows on the screen, want %d", l.at, l.len, chosen, want)
			}
		}
	})
}

func TestListMoves(t *testing.T) {
	l := list{len: 100, height: 10}
	for _, step := range []struct {
		move keys.Action
		want int
	}{
		{keys.Up, 0}, {keys.Down, 1}, {keys.PageDown, 10}, {keys.PageDown, 19}, {keys.PageUp, 10},
		{keys.End, 99}, {keys.Down, 99}, {keys.Top, 0},
	} {
		if !l.do(step.move) || l.at != step.want {
			t.Fatalf("after %s: row %d, want %d", step.move, l.at, step.want)
		}
	}
	if l.do(keys.Open) {
		t.Error("a list took a key that does not move")
	}
}

// manySessions is a page with ten thousand rows.
func manySessions() *sessions {
	w := &world{screen: term.Screen{TTY: true, Color: true}, now: func() time.Time { return testNow }}
	s := newSessions(w)
	msg := sessionsMsg{files: 10000}
	for i := range 10000 {
		msg.page.Sessions = append(msg.page.Sessions, app.Session{
			ID: fmt.Sprintf("%08x-0000", i), Title: fmt.Sprintf("Fix the flaky parser test on CI, número %d 京都", i),
			GitBranch: "feat/idempotency-keys", Project: "parser-k3f9", MessageCount: i, AgentSessions: make([]string, i%7),
			LastActivityAt: app.Stamp{Time: testNow.Add(-time.Duration(i) * time.Minute)}, FileSize: 1000,
		})
	}
	msg.page.Total = 10000
	s.take(msg)
	return s
}

// BenchmarkListFrame draws ten thousand sessions on a large screen, another one
// chosen every time.
func BenchmarkListFrame(b *testing.B) {
	s := manySessions()
	m := &model{world: s.world, stack: []screen{s}, width: 200, high: 60}
	for b.Loop() {
		if s.list.do(keys.Down); s.list.at == 9999 {
			s.list.choose(0)
		}
		m.draw()
	}
}

// BenchmarkListFilter sifts ten thousand sessions, as at every letter typed.
func BenchmarkListFilter(b *testing.B) {
	s := manySessions()
	s.words = []string{"parser", "99"}
	for b.Loop() {
		s.sift()
	}
}
