package tui

import (
	"fmt"
	"strings"

	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
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
	page := m.top().view(m.width, body)
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
		lines[i] = m.closed(cut(m.world.screen, line, m.width))
	}
	return strings.Join(lines, "\n")
}

// closed makes sure that no colour of a line reaches the next.
func (m *model) closed(line string) string {
	const reset = "\x1b[0m"
	if m.world.screen.Color && strings.Contains(line, "\x1b") && !strings.HasSuffix(line, reset) {
		return line + reset
	}
	return line
}

// head names the program and what the page shows. What needs an answer is never
// cut: the page's own words give way.
func (m *model) head() string {
	alert, room := "", m.width-len("- sesskeep - - ")
	if n := m.world.board.Waiting(); n > 0 {
		glyph, style := draw.State(m.world.screen, needsYou)
		text := fmt.Sprintf("%s %s %s", glyph, term.Count(n), needsYou)
		alert = m.world.screen.Paint(style, text)
		room -= term.Width(text) + 3
	}
	remarks := []string{"sesskeep", cut(m.world.screen, term.Line(m.top().title()), max(room, 0)), alert}
	return inRule(m.world.screen, term.Plain, remarks, m.width)
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
	return append([]string{inRule(m.world.screen, term.Yellow, remarks, m.width)}, footKeys(m.world.screen, page, frame, m.width, lines)...)
}

// hints are the keys that work now: those of the page, and those of the frame
// worth a place.
func (m *model) hints() (page, frame []hint) {
	top := m.top()
	if t, ok := top.(typist); ok && top.typing() {
		return t.hints(), nil
	}
	page = hintsFor(top, top.actions())
	if top.typing() {
		return page, nil
	}
	list := []keys.Action{keys.Palette, keys.Help, keys.Quit}
	if len(m.stack) > 1 {
		list = append([]keys.Action{keys.Back}, list...)
	}
	return page, hintsFor(top, list)
}

func (m *model) pendingKey() string {
	if m.pending == "" {
		return ""
	}
	return m.pending + glyphsOf(m.world.screen).ellipsis
}
