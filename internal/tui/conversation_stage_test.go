package tui

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/app"
	"sesskeep/internal/demo"
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
	a, err := app.Open(app.Options{Roots: []string{home}, Alive: demo.Alive})
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
	case copyMsg, resumeMsg, backMsg, actionMsg:
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

// typeText types letters, and does what follows from the last of them.
func (s *stage) typeText(text string) {
	var last tea.Cmd
	for _, r := range text {
		last = s.page.update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	s.run(last)
	s.draw()
}

// press gives keys by their names to a page that takes text.
func (s *stage) press(names ...string) {
	for _, name := range names {
		s.run(s.page.update(keyPress(name)))
		s.draw()
	}
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

var testNow = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func keyPress(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "down": tea.KeyDown, "up": tea.KeyUp, "left": tea.KeyLeft,
		"right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace,
		"delete": tea.KeyDelete, "tab": tea.KeyTab, "pgdown": tea.KeyPgDown,
	}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func demoStage(t testing.TB, sc term.Screen) *stage {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	if err := demo.Write(dir, testNow); err != nil {
		t.Fatal(err)
	}
	return newStage(t, dir, sc)
}

// titled is the row with a title.
func (s *stage) titled(title string) app.Session {
	s.t.Helper()
	for _, r := range s.rows() {
		if r.Title == title {
			return r
		}
	}
	s.t.Fatalf("no session %q", title)
	return app.Session{}
}

// line is a line of a transcript: a prompt or an answer, after another.
func line(uuid, parent, text string, prompt bool) string {
	kind := "assistant"
	if prompt {
		kind = "user"
	}
	if parent != "" {
		parent = `"` + parent + `"`
	} else {
		parent = "null"
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"timestamp":"2026-11-15T01:00:00.000Z","message":{"id":"m%s","role":%q,"content":[{"type":"text","text":%q}]}}`,
		kind, uuid, parent, uuid, kind, text)
}

var coloursOfOurs = regexp.MustCompile("\x1b\\[[0-9;]*m")

// wantClean fails for any control but the colours that are ours.
func wantClean(t *testing.T, what, text string) {
	t.Helper()
	text = coloursOfOurs.ReplaceAllString(text, "")
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }); i >= 0 {
		t.Fatalf("%s: %q", what, text[max(0, i-30):min(len(text), i+30)])
	}
}
