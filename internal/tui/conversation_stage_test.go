package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
)

// stage holds one page and takes what it asks for.
type stage struct {
	t     testing.TB
	w     *world
	page  screen
	notes []string
	wish  tea.Msg // the last message for the frame
	next  screen  // the last page it was asked to open
	size  [2]int
}

// newStage opens a home for a page.
func newStage(t testing.TB, home string, sc term.Screen) *stage {
	t.Helper()
	a, err := app.Open(app.Options{Roots: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return &stage{t: t, size: [2]int{80, 24},
		w: &world{ctx: t.Context(), app: a, screen: sc, now: func() time.Time { return testNow }}}
}

// rows are all transcripts of the home.
func (s *stage) rows() []app.Session {
	s.t.Helper()
	c, err := s.w.app.Catalog(s.w.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	page, err := c.List(s.w.ctx, app.Filter{Source: "all"})
	if err != nil {
		s.t.Fatal(err)
	}
	return page.Sessions
}

// show puts a page on the stage and waits until it has nothing left to do.
func (s *stage) show(page screen) {
	if c, ok := s.page.(closer); ok {
		c.close()
	}
	s.page = page
	s.run(page.start())
	s.draw()
}

// run runs a Cmd and what follows from it.
func (s *stage) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case noteMsg:
		s.notes = append(s.notes, msg.text)
	case openMsg:
		s.next = msg.page
	case copyMsg, resumeMsg, backMsg:
		s.wish = msg
	default:
		s.run(s.page.update(msg))
	}
}

// do gives keys of the table, and draws after each.
func (s *stage) do(actions ...keys.Action) {
	s.t.Helper()
	for _, a := range actions {
		cmd, _ := s.page.do(a)
		s.run(cmd)
		s.draw()
	}
}

// typeText types letters and a key.
func (s *stage) typeText(text, end string) {
	for _, r := range text {
		s.run(s.page.update(tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
	s.run(s.page.update(keyPress(end)))
	s.draw()
}

// draw draws the page, and checks what must be true of every picture.
func (s *stage) draw() string {
	s.t.Helper()
	lines := s.page.view(s.size[0], s.size[1])
	if len(lines) > s.size[1] {
		s.t.Fatalf("%d lines on %d", len(lines), s.size[1])
	}
	for _, line := range lines {
		if w := term.Width(line); w > s.size[0] {
			s.t.Fatalf("%d cells on %d: %q", w, s.size[0], line)
		}
	}
	return strings.Join(lines, "\n")
}

func (s *stage) want(texts ...string) {
	s.t.Helper()
	picture := s.draw()
	for _, text := range texts {
		if !strings.Contains(picture, text) {
			s.t.Errorf("no %q in:\n%s", text, picture)
		}
	}
}
