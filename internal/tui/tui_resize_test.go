package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestResizeWipes holds that the screen is wiped once the window has settled.
func TestResizeWipes(t *testing.T) {
	m := openDemo(t)
	m.Update(tea.WindowSizeMsg{Width: 40, Height: 12})
	_, settles := m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if _, cmd := m.Update(resizedMsg{1}); cmd != nil {
		t.Error("it is wiped while it changes")
	}
	_, cmd := m.Update(settles())
	if cmd == nil || cmd() != tea.ClearScreen() {
		t.Error("it is not wiped")
	}
	if m.wipe() == nil || m.wipe() != nil {
		t.Error("it is not wiped once more, or for ever")
	}
}
