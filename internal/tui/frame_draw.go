package tui

import (
	"fmt"
	"slices"
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
		lines[i] = m.closed(term.Frame(pages.Cut(m.world.Screen, line, m.width)))
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

// head names the program, what the page shows and, where all of them fit, the pages with
// their keys. What needs an answer is never cut: the page's own words give way.
func (m *model) head() string {
	remarks, tabs := m.headRemarks(), m.headTabs()
	return inRule(m.world.Screen, term.Plain, remarks, m.width-term.Width(tabs)) + tabs
}

func (m *model) headRemarks() []string {
	alert, room := "", m.width-len("- sesskeep - - ")
	if n := m.waiting(); n > 0 {
		glyph, style := draw.State(m.world.Screen, pages.NeedsYou)
		text := fmt.Sprintf("%s %s %s", glyph, term.Count(n), pages.NeedsYou)
		alert = m.world.Screen.Paint(style, text)
		room -= term.Width(text) + 3
	}
	return []string{"sesskeep", pages.Cut(m.world.Screen, term.Line(m.title()), max(room, 0)), alert}
}

// foot is a line with what there is to say, and the keys that work here.
func (m *model) foot() []string {
	lines := 1
	if m.high >= tallEnough {
		lines = 2
	}
	page, frame := m.hints()
	return append([]string{m.remarks()}, footKeys(m.world.Screen, page, frame, m.width, lines)...)
}

// remarks are what there is to say: at the left end of the line what happens, at
// its right end what stays for a while. While nothing happens, pages that the head has no
// room for are at the left end. A line that is typed has all of it.
func (m *model) remarks() string {
	sc := m.world.Screen
	if p := m.world.Prompt; p != nil && !m.inRow(p) {
		label := term.Line(p.Label) + ": "
		return " " + sc.Paint(term.Bold, pages.Cut(sc, label, m.width-2)) + p.Input.View(sc, max(1, m.width-term.Width(label)-2))
	}
	var left []string
	for _, text := range []string{m.progress(), m.acts.progress(), m.note, m.pendingKey()} {
		if text != "" {
			left = append(left, text)
		}
	}
	right := atRight(sc, left, m.standing(), m.width)
	tabs := ""
	if len(left) == 0 && m.headTabs() == "" {
		tabs, _ = m.tabLine(m.width - term.Width(right) - 1)
	}
	rest := inRule(sc, term.Yellow, left, m.width-term.Width(right)-term.Width(tabs))
	return tabs + rest + sc.Paint(term.Dim, right)
}

// inRow reports whether the page on top shows the line that is typed in a row.
func (m *model) inRow(p *pages.Prompt) bool {
	r, ok := m.top().(pages.RowTyper)
	return ok && p.Row != nil && r.TypesIn(*p.Row)
}

// standing is what the right end of the foot says: how the copies are, and for how
// long something can be undone by a key.
func (m *model) standing() []string {
	var list []string
	if text := m.kept.words; text != "" {
		list = append(list, text)
	}
	if left := m.acts.undoable(m.world.Now()); left > 0 {
		list = append(list, fmt.Sprintf("undo: %s (%ds)", pages.KeyName(m.world.Screen, keys.Find(keys.Undo).Keys[0]), left))
	}
	return list
}

// hints are the keys that work now: those of the page, and those of the frame
// worth a place.
func (m *model) hints() (page, frame []pages.Hint) {
	top := m.top()
	if p := m.world.Prompt; p != nil {
		return p.Hints(), nil
	}
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
	text := m.pending + pages.GlyphsOf(m.world.Screen).Ellipsis
	for _, a := range keys.Actions(m.pending + " " + m.pending) {
		if slices.Contains(m.top().Actions(), a) {
			return text + " " + m.pending + " again: " + string(a)
		}
	}
	return text
}
