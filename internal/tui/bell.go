package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/board"
	"sesskeep/internal/term"
)

// toggleBell turns the bell on or off, and remembers that.
func (m *model) toggleBell() tea.Cmd {
	m.world.Prefs.Bell = !m.world.Prefs.Bell
	if m.world.Prefs.Bell {
		m.say("bell: on, it rings when a session needs you")
	} else {
		m.say("bell: off")
	}
	return m.world.Keep()
}

// ring calls for somebody when sessions have begun to need one, once for all of
// them: by the bell, and by a notification where the terminal knows how (OSC 9).
func (m *model) ring(called []*board.LiveSession) tea.Cmd {
	if len(called) == 0 || !m.world.Prefs.Bell {
		return nil
	}
	s, title := called[0], ""
	if rules, err := m.world.App.Talk.Rules(); err == nil { // else it rings without the title
		title = rules.Document().Text(s.Title)
	}
	return tea.Raw(term.Notification("sesskeep: " + cmp.Or(title, string(s.Key.Session)) + " needs you"))
}
