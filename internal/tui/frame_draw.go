package tui

import (
	"fmt"
	"strings"

	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

const (
	headLines = 1
	// tallEnough is from how many lines on the foot may have two of keys.
	tallEnough = 20
)

// draw puts head, page and foot together: as many lines as the screen has, none
// wider than it is, each of them ending without a colour.
func (m *model) draw() string {
	if m.width <= 0 || m.high <= 0 {
		return ""
	}
	foot := m.foot()
	body := max(1, m.high-headLines-len(foot))
	lines := append(make([]string, 0, m.high), m.head())
	page := m.top().View(m.width, body)
	for i := range body {
		if i < len(page) {
			lines = append(lines, page[i])
		} else {
			lines = append(lines, "")
		}
	}
	lines = append(lines, foot...)
	lines = lines[:min(len(lines), m.high)]
	for i, line := range lines {
		lines[i] = m.closed(pages.Cut(m.world.Screen, line, m.width))
	}
	return strings.Join(lines, "\n")
}

// closed makes sure that no colour of a line reaches the next.
func (m *model) closed(line string) string {
	const reset = "\x1b[0m"
	if m.world.Screen.Color && strings.Contains(line, "\x1b") && !strings.HasSuffix(line, reset) {
		return line + reset
	}
	return line
}

// head names the program and what the page shows. What needs an answer is never
// cut: the page's own words give way.
func (m *model) head() string {
	alert, room := "", m.width-len("- sesskeep - - ")
	if n := m.world.Board.Waiting(); n > 0 {
		glyph, style := draw.State(m.world.Screen, pages.NeedsYou)
		text := fmt.Sprintf("%s %s %s", glyph, term.Count(n), pages.NeedsYou)
		alert = m.world.Screen.Paint(style, text)
		room -= term.Width(text) + 3
	}
	remarks := []string{"sesskeep", pages.Cut(m.world.Screen, term.Line(m.top().Title()), max(room, 0)), alert}
	return inRule(m.world.Screen, term.Plain, remarks, m.width)
}

// foot is a line with what there is to say, and the keys that work here.
func (m *model) foot() []string {
	var remarks []string
	for _, text := range []string{m.progress(), m.note, m.pendingKey()} {
		if text != "" {
			remarks = append(remarks, text)
		}
	}
	lines := 1
	if m.high >= tallEnough {
		lines = 2
	}
	page, frame := m.hints()
	return append([]string{inRule(m.world.Screen, term.Yellow, remarks, m.width)}, footKeys(m.world.Screen, page, frame, m.width, lines)...)
}

// hints are the keys that work now: those of the page, and those of the frame
// worth a place.
func (m *model) hints() (page, frame []pages.Hint) {
	top := m.top()
	if t, ok := top.(pages.Typist); ok && top.Typing() {
		return t.Hints(), nil
	}
	page = hintsFor(top, top.Actions())
	if top.Typing() {
		return page, nil
	}
	list := []keys.Action{keys.Palette, keys.Help, keys.Quit}
	switch {
	case m.picks():
		list = []keys.Action{keys.Help, keys.Quit}
	case len(m.stack) > 1:
		list = append([]keys.Action{keys.Back}, list...)
	}
	return page, hintsFor(top, list)
}

func (m *model) pendingKey() string {
	if m.pending == "" {
		return ""
	}
	return m.pending + pages.GlyphsOf(m.world.Screen).Ellipsis
}
