package tui

import (
	"fmt"
	"testing"
	"time"

	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/keys"
	"sesskeep/internal/stamp"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
	"sesskeep/internal/tui/pagetest"
)

// manySessions is a page with ten thousand rows.
func manySessions() *sessions {
	w := &pages.World{Screen: term.Screen{TTY: true, Color: true}, Now: func() time.Time { return pagetest.Now }}
	s := newSessions(w)
	msg := sessionsMsg{projects: 10000}
	for i := range 10000 {
		msg.page.Sessions = append(msg.page.Sessions, catalog.Session{Row: ask.Row{
			ID: fmt.Sprintf("%08x-0000", i), Title: fmt.Sprintf("Fix the flaky parser test on CI, número %d 京都", i),
			GitBranch: "feat/idempotency-keys", Project: "parser-k3f9", MessageCount: i, AgentSessions: make([]string, i%7),
			LastActivityAt: stamp.Time{Time: pagetest.Now.Add(-time.Duration(i) * time.Minute)}, FileSize: 1000,
		}})
	}
	msg.page.Total = 10000
	s.apply(msg)
	return s
}

// BenchmarkListFrame draws ten thousand sessions on a large screen, another one
// chosen every time.
func BenchmarkListFrame(b *testing.B) {
	s := manySessions()
	m := &model{world: s.world, stack: []pages.Page{s}, width: 200, high: 60}
	for b.Loop() {
		if s.list.Do(keys.Down); s.list.At == 9999 {
			s.list.Choose(0)
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
