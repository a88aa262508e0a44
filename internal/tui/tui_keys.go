package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/keys"
	"sesskeep/internal/tui/pages"
)

// key turns a key into an action. While a page takes text only the keys that
// no text has stay with the frame.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if m.world.Prompt != nil || m.top().Typing() {
		switch name {
		case "ctrl+c":
			return tea.Quit
		case "ctrl+z":
			return tea.Suspend
		}
		if m.world.Prompt != nil {
			return m.prompted(msg)
		}
		return m.deliver(m.top(), msg)
	}
	if msg.Code == tea.KeySpace {
		name = msg.Keystroke() // String gives the space itself
	}
	first := m.pending
	m.pending = ""
	if first != "" {
		if list := keys.Actions(first + " " + name); len(list) > 0 {
			return m.try(list)
		}
	}
	if keys.StartsSequence(name) {
		m.pending = name
		return nil
	}
	return m.try(keys.Actions(name))
}

// prompted gives a key to the line that is being typed.
func (m *model) prompted(msg tea.KeyPressMsg) tea.Cmd {
	p := m.world.Prompt
	switch msg.String() {
	case "esc":
		m.world.Prompt = nil
	case "enter":
		m.world.Prompt = nil
		return m.follow(m.top(), p.Done(p.Input.Text()))
	case "tab":
		p.Complete()
	default:
		p.Input.Update(msg)
	}
	return nil
}

// try gives the first of the actions that has a use.
func (m *model) try(list []keys.Action) tea.Cmd {
	for _, a := range list {
		if cmd, ok := m.attempt(a); ok {
			return cmd
		}
	}
	return nil
}

// act does an action that was chosen by name.
func (m *model) act(a keys.Action) tea.Cmd {
	cmd, _ := m.attempt(a)
	return cmd
}

// attempt gives an action to the page, and takes it itself if that has no use
// for it.
func (m *model) attempt(a keys.Action) (tea.Cmd, bool) {
	page := m.top()
	if cmd, ok := page.Do(a); ok {
		return m.follow(page, cmd), true
	}
	if !slices.Contains(m.everywhere(), a) {
		return nil, false
	}
	if rootPages[a] != nil {
		return m.goTo(a), true
	}
	switch a {
	case keys.Quit:
		return tea.Quit, true
	case keys.Suspend:
		return tea.Suspend, true
	case keys.Back:
		return m.back(), true
	case keys.Help:
		return m.asked(pages.OpenMsg{Page: newHelp(m.world, page, m.everywhere())}), true
	case keys.Palette:
		return m.asked(pages.OpenMsg{Page: newPalette(m.world, page.Actions(), m.everywhere())}), true
	case keys.Menu:
		return m.asked(pages.OpenMsg{Page: newMenu(m.world, page.Actions())}), true
	case keys.Undo:
		return m.undo(), true
	case keys.Bell:
		return m.toggleBell(), true
	case keys.Refresh:
		m.say("reloading")
		return m.rereadAll(), true
	}
	return nil, false
}

// back goes up one level: to the page below, from the sessions to the projects,
// and from any other page to the sessions.
func (m *model) back() tea.Cmd {
	switch {
	case len(m.stack) > 1:
		m.note = ""
		m.remove(m.top())
	case m.picks():
		return tea.Quit
	case m.top() == m.roots[keys.Sessions]:
		return m.goTo(keys.Projects)
	case m.top() == m.roots[keys.Projects]:
		m.say("this is the top: q quits")
	default:
		return m.goTo(keys.Sessions)
	}
	return nil
}

// goTo shows a page of its own, without what was on the stack.
func (m *model) goTo(a keys.Action) tea.Cmd {
	m.note = ""
	for len(m.stack) > 1 {
		m.remove(m.top())
	}
	page := m.root(a)
	if m.top() == page {
		return nil
	}
	m.stack = []pages.Page{page}
	return m.from(page, page.Start())
}

// pointer takes the mouse: the wheel moves, a click goes to the page.
func (m *model) pointer(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		a := keys.Down
		if msg.Button == tea.MouseWheelUp {
			a = keys.Up
		}
		var cmds []tea.Cmd
		for range wheelRows {
			cmds = append(cmds, m.act(a))
		}
		return tea.Batch(cmds...)
	case tea.MouseClickMsg:
		if y := msg.Y - headLines; msg.Button == tea.MouseLeft && y >= 0 {
			return m.deliver(m.top(), pages.ClickMsg{X: msg.X, Y: y})
		}
	}
	return nil
}

// wheelRows is how far one notch of the wheel goes.
const wheelRows = 3
