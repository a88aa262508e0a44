package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/term"
)

// help is the page with the keys that work on the page below it, and those
// that work everywhere.
type help struct {
	*world
	list  list
	lines []helpLine
}

// helpLine is a binding, or the heading of some.
type helpLine struct {
	heading string
	binding keys.Binding
}

func newHelp(w *world, here []keys.Action) *help {
	h := &help{world: w}
	h.section("Here", append(slices.Clone(here), moves...))
	h.section("Everywhere", everywhere())
	h.list.resize(len(h.lines))
	return h
}

// section adds the bindings in the order of the table.
func (h *help) section(heading string, actions []keys.Action) {
	if len(h.lines) > 0 {
		h.lines = append(h.lines, helpLine{})
	}
	h.lines = append(h.lines, helpLine{heading: heading})
	for _, b := range keys.Table {
		if slices.Contains(actions, b.Action) {
			h.lines = append(h.lines, helpLine{binding: b})
		}
	}
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

// keysWidth is how wide the keys of an action are at most.
const keysWidth = 20

func (h *help) view(width, height int) []string {
	return h.list.view(height, func(i int, _ bool) string {
		l := h.lines[i]
		if len(l.binding.Keys) == 0 {
			return " " + h.screen.Paint(term.Bold, cut(h.screen, term.Line(l.heading), width-2))
		}
		var names []string
		for _, k := range l.binding.Keys {
			names = append(names, keyName(h.screen, k))
		}
		key := fill(h.screen, strings.Join(names, "  "), keysWidth)
		return "   " + h.screen.Paint(term.Cyan, key) + cut(h.screen, l.binding.Text, width-keysWidth-3)
	})
}
