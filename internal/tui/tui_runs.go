package tui

import (
	tea "charm.land/bubbletea/v2"

	"sesskeep/internal/runs"
	"sesskeep/internal/tui/pages"
)

// runningMsg is what sesskeep runs now.
type runningMsg pages.Running

// listenRuns waits until something about runs is another.
func (m *model) listenRuns() tea.Cmd {
	if m.world.Runs == nil {
		return nil
	}
	return func() tea.Msg {
		runs, inbox, ok, err := m.runs.Next(m.world.Ctx)
		if !ok {
			return nil
		}
		return runningMsg{Known: true, Runs: runs, Inbox: inbox, Err: err, Unread: m.runs.Unread()}
	}
}

// running applies it and passes it to all pages.
func (m *model) running(msg runningMsg) tea.Cmd {
	m.world.Running = pages.Running(msg)
	m.world.Board.Runs(msg.Runs)
	cmd := m.deliverAll(m.everyPage(), pages.RunningMsg{})
	if msg.Err != nil {
		return cmd
	}
	return tea.Batch(cmd, m.listenRuns())
}

// onBoard reports whether the live wall knows that the session needs somebody.
func (m *model) onBoard(item runs.InboxItem) bool {
	s := m.world.Board.Session(m.world.App.Homes.SessionKey(item.Root, item.SessionID))
	return s != nil && s.State.Word == pages.NeedsYou
}

// waiting is how many sessions need an answer: those on the wall, and runs
// whose client does not report their state.
func (m *model) waiting() int {
	n, counted := m.world.Board.Waiting(), map[string]bool{}
	for _, item := range m.world.Running.Inbox {
		if !m.onBoard(item) && !counted[item.SessionID] {
			counted[item.SessionID] = true
			n++
		}
	}
	return n
}
