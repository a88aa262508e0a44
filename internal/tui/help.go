package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
	"sesskeep/internal/tui/pages"
)

// help is the page with the keys that work on the page below it and those that
// work everywhere, and with what the signs of states mean.
type help struct {
	world *pages.World
	list  pages.List
	lines []helpLine
	taken map[string]bool // keys that are listed
}

// helpLine is a key or a sign and what it means, or a heading.
type helpLine struct {
	heading string
	sign    string
	style   term.Style
	text    string
}

func newHelp(w *pages.World, page pages.Page, everywhere []keys.Action) *help {
	h := &help{world: w, taken: map[string]bool{}}
	here := pages.Moves
	if p, ok := page.(pages.Mover); ok {
		here = p.Moves()
	}
	h.section("Here", slices.Concat(page.Actions(), here))
	h.section("Everywhere", everywhere)
	h.legend()
	h.list.Resize(len(h.lines))
	return h
}

// section adds the bindings in the order of the table, which is that in which a
// page is asked. So a key that has a meaning on the page has that one alone.
func (h *help) section(heading string, actions []keys.Action) {
	h.head(heading)
	for _, b := range keys.Table {
		if !slices.Contains(actions, b.Action) {
			continue
		}
		var names []string
		for _, k := range b.Keys {
			if !h.taken[k] {
				names = append(names, pages.KeyName(h.world.Screen, k))
			}
			h.taken[k] = true
		}
		if len(names) > 0 {
			h.lines = append(h.lines, helpLine{sign: strings.Join(names, "  "), style: term.Cyan, text: b.Text})
		}
	}
}

func (h *help) head(heading string) {
	if len(h.lines) > 0 {
		h.lines = append(h.lines, helpLine{})
	}
	h.lines = append(h.lines, helpLine{heading: heading})
}

// legend explains the signs before titles, which stand alone where there is no room for
// the words of states.
func (h *help) legend() {
	h.head("Signs")
	for _, word := range pages.StateWords {
		glyph, style := draw.State(h.world.Screen, word)
		h.lines = append(h.lines, helpLine{sign: glyph, style: style, text: word + ": " + pages.StateMeanings[word]})
	}
	h.lines = append(h.lines,
		helpLine{sign: pages.AgentGlyph(h.world.Screen), style: term.Dim, text: "agent: it works for a session, which has a state"},
		helpLine{sign: pages.StarGlyph(h.world.Screen), style: term.Yellow, text: "starred, before a title"},
		helpLine{sign: pages.MarkGlyph(h.world.Screen), style: term.Yellow, text: "marked, before a title: actions apply to all marked sessions"},
		helpLine{sign: pages.DamageGlyph(h.world.Screen), style: term.Yellow, text: "damaged: some lines cannot be read; sesskeep doctor has details"})
}

func (h *help) Start() tea.Cmd         { return nil }
func (h *help) Update(tea.Msg) tea.Cmd { return nil }
func (h *help) Title() string          { return "help" }
func (h *help) Actions() []keys.Action { return []keys.Action{keys.Down, keys.Up} }
func (h *help) Typing() bool           { return false }

func (h *help) Do(a keys.Action) (tea.Cmd, bool) {
	if a == keys.Help {
		return pages.Back(), true
	}
	return nil, h.scroll(a)
}

// scroll moves the window on the lines: none of them is chosen.
func (h *help) scroll(a keys.Action) bool {
	switch a {
	case keys.Down:
		h.list.Choose(h.list.Top + h.list.Height)
	case keys.Up:
		h.list.Choose(h.list.Top - 1)
	case keys.PageDown:
		h.list.Choose(h.list.Top + 2*h.list.Height - 2)
	case keys.PageUp:
		h.list.Choose(h.list.Top - h.list.Height + 1)
	default:
		return h.list.Do(a)
	}
	return true
}

func (h *help) View(width, height int) []string {
	room := 0
	for _, l := range h.lines {
		room = max(room, term.Width(l.sign)+2)
	}
	room = min(room, max(1, width/2))
	return h.list.View(height, func(i int, _ bool) string {
		l := h.lines[i]
		if l.sign == "" {
			return " " + h.world.Screen.Paint(term.Bold, pages.Cut(h.world.Screen, term.Line(l.heading), width-2))
		}
		return "   " + h.world.Screen.Paint(l.style, pages.Fill(h.world.Screen, l.sign, room)) + pages.Cut(h.world.Screen, l.text, width-room-3)
	})
}
