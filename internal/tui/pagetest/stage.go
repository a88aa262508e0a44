// Package pagetest has a stage for the tests of pages: it holds one page, runs what
// it asks for, and looks at what it draws.
package pagetest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"sesskeep/internal/app"
	"sesskeep/internal/ask"
	"sesskeep/internal/catalog"
	"sesskeep/internal/demo"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"

	tea "charm.land/bubbletea/v2"
)

// Stage holds one page and takes what it asks for.
type Stage struct {
	t     testing.TB
	W     *pages.World
	Page  pages.Page
	Notes []string
	Wish  tea.Msg    // the last message for the frame
	Next  pages.Page // the last page it was asked to open
	Size  [2]int
}

// NewStage opens a home for a page.
func NewStage(t testing.TB, home string, sc term.Screen) *Stage {
	t.Helper()
	a, err := app.Open(app.Options{Roots: []string{home}, Alive: demo.Alive})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return &Stage{t: t, Size: [2]int{80, 24},
		W: &pages.World{Ctx: t.Context(), App: a, Screen: sc, Now: func() time.Time { return Now }}}
}

// Rows are all transcripts of the home.
func (s *Stage) Rows() []catalog.Session {
	s.t.Helper()
	c, err := s.W.App.Catalog.Snapshot(s.W.Ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	page, err := c.List(s.W.Ctx, ask.Filter{Source: "all"})
	if err != nil {
		s.t.Fatal(err)
	}
	return page.Sessions
}

// Show puts a page on the stage and waits until it has nothing left to do.
func (s *Stage) Show(page pages.Page) {
	if c, ok := s.Page.(pages.Closer); ok {
		c.Close()
	}
	s.Page = page
	s.Run(page.Start())
	s.Draw()
}

// Run runs a Cmd and what follows from it.
func (s *Stage) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.Run(c)
		}
	case pages.NoteMsg:
		s.Notes = append(s.Notes, msg.Text)
	case pages.OpenMsg:
		s.Next = msg.Page
	case pages.CopyMsg, pages.ResumeMsg, pages.BackMsg, pages.ActionMsg, pages.PromptMsg:
		s.Wish = msg
	default:
		s.Run(s.Page.Update(msg))
	}
}

// Do gives keys of the table, and draws after each.
func (s *Stage) Do(actions ...keys.Action) {
	s.t.Helper()
	for _, a := range actions {
		cmd, _ := s.Page.Do(a)
		s.Run(cmd)
		s.Draw()
	}
}

// TypeText types letters, and does what follows from the last of them.
func (s *Stage) TypeText(text string) {
	var last tea.Cmd
	for _, r := range text {
		last = s.Page.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	s.Run(last)
	s.Draw()
}

// Press gives keys by their names to a page that takes text.
func (s *Stage) Press(names ...string) {
	for _, name := range names {
		s.Run(s.Page.Update(KeyPress(name)))
		s.Draw()
	}
}

// Draw draws the page, and checks what must be true of every picture.
func (s *Stage) Draw() string {
	s.t.Helper()
	lines := s.Page.View(s.Size[0], s.Size[1])
	if len(lines) > s.Size[1] {
		s.t.Fatalf("%d lines on %d", len(lines), s.Size[1])
	}
	for _, line := range lines {
		if w := term.Width(line); w > s.Size[0] {
			s.t.Fatalf("%d cells on %d: %q", w, s.Size[0], line)
		}
	}
	return strings.Join(lines, "\n")
}

func (s *Stage) Want(texts ...string) {
	s.t.Helper()
	picture := term.Frame(s.Draw())
	for _, text := range texts {
		if !strings.Contains(picture, text) {
			s.t.Errorf("no %q in:\n%s", text, picture)
		}
	}
}

var Now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func KeyPress(name string) tea.KeyPressMsg {
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

func Demo(t testing.TB, sc term.Screen) *Stage {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	if err := demo.Write(dir, Now); err != nil {
		t.Fatal(err)
	}
	return NewStage(t, dir, sc)
}

// Titled is the row with a title.
func (s *Stage) Titled(title string) catalog.Session {
	s.t.Helper()
	for _, r := range s.Rows() {
		if r.Title == title {
			return r
		}
	}
	s.t.Fatalf("no session %q", title)
	return catalog.Session{}
}

// Line is a line of a transcript: a prompt or an answer, after another.
func Line(uuid, parent, text string, prompt bool) string {
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

// WantClean fails for any control but the colours that are ours.
func WantClean(t *testing.T, what, text string) {
	t.Helper()
	text = coloursOfOurs.ReplaceAllString(text, "")
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }); i >= 0 {
		t.Fatalf("%s: %q", what, text[max(0, i-30):min(len(text), i+30)])
	}
}
