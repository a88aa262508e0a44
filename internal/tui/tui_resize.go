package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/tui/pages"
)

// resizedMsg says that the picture for a new size has been drawn.
type resizedMsg struct{ resizes int }

// resizeRest is enough for some frames.
const resizeRest = 4 * time.Second / maxFrames

// resize takes another size of the window.
//
// After a window has grown Bubble Tea takes the cells it has just drawn in the
// new columns for empty ones, and would leave them there when they ought to go.
// Wiping the screen once that frame is out puts it right.
func (m *model) resize(to tea.WindowSizeMsg) tea.Cmd {
	first := m.width == 0
	m.width, m.high = to.Width, to.Height
	m.world.Roomy = to.Width >= pages.PreviewFrom
	sized := m.broadcast(pages.SizedMsg{})
	if first {
		return sized
	}
	m.resizes++
	settled := resizedMsg{m.resizes}
	return tea.Batch(sized, tea.Tick(resizeRest, func(time.Time) tea.Msg { return settled }))
}

// resized wipes the screen, unless the window keeps changing. It does so again
// at the next tick: a machine under load may not have drawn a frame since.
func (m *model) resized(msg resizedMsg) tea.Cmd {
	if msg.resizes != m.resizes {
		return nil
	}
	m.unwiped = true
	return tea.ClearScreen
}

// wipe wipes the screen once more, if that is owed.
func (m *model) wipe() tea.Cmd {
	if !m.unwiped {
		return nil
	}
	m.unwiped = false
	return tea.ClearScreen
}
