package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/draw"
	"sesskeep/internal/keys"
	"sesskeep/internal/term"
)

// help is the page with the keys that work on the page below it and those that
// work everywhere, and with what the signs of states mean.
type help struct {
	world *world
	list  list
	lines []helpLine
	taken map[string]bool // keys that have been told
}

// helpLine is a key or a sign and what it means, or a heading.
type helpLine struct {
	heading string
	sign    string
	style   term.Style
	text    string
}

func newHelp(w *world, page screen) *help {
	h := &help{world: w, taken: map[string]bool{}}
	here := moves
	if p, ok := page.(mover); ok {
		here = p.moves()
	}
	h.section("Here", slices.Concat(page.actions(), here))
	h.section("Everywhere", everywhere())
	h.legend()
	h.list.resize(len(h.lines))
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
				names = append(names, keyName(h.world.screen, k))
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

// legend tells what the signs before titles mean: where there is no room for the
// words of states one learns them here.
func (h *help) legend() {
	h.head("Signs")
	for _, word := range stateWords {
		glyph, style := draw.State(h.world.screen, word)
		h.lines = append(h.lines, helpLine{sign: glyph, style: style, text: word + ": " + stateMeanings[word]})
	}
	h.lines = append(h.lines,
		helpLine{sign: agentGlyph(h.world.screen), style: term.Dim, text: "agent: it works for a session, which has a state"},
		helpLine{sign: damageGlyph(h.world.screen), style: term.Yellow, text: "damaged: lines of it cannot be read, sesskeep doctor tells more"})
}

func (h *help) start() tea.Cmd         { return nil }
func (h *help) update(tea.Msg) tea.Cmd { return nil }
func (h *help) title() string          { return "help" }
func (h *help) actions() []keys.Action { return []keys.Action{keys.Down, keys.Up} }
func (h *help) typing() bool           { return false }

func (h *help) do(a keys.Action) (tea.Cmd, bool) {
	if a == keys.Help {
		return send(backMsg{}), true
	}
	return nil, h.scroll(a)
}

// scroll moves the window on the lines: none of them is chosen.
func (h *help) scroll(a keys.Action) bool {
	switch a {
	case keys.Down:
		h.list.choose(h.list.top + h.list.height)
	case keys.Up:
		h.list.choose(h.list.top - 1)
	default:
		return h.list.do(a)
	}
	return true
}

func (h *help) view(width, height int) []string {
	room := 0
	for _, l := range h.lines {
		room = max(room, term.Width(l.sign)+2)
	}
	room = min(room, max(1, width/2))
	return h.list.view(height, func(i int, _ bool) string {
		l := h.lines[i]
		if l.sign == "" {
			return " " + h.world.screen.Paint(term.Bold, cut(h.world.screen, term.Line(l.heading), width-2))
		}
		return "   " + h.world.screen.Paint(l.style, fill(h.world.screen, l.sign, room)) + cut(h.world.screen, l.text, width-room-3)
	})
}
